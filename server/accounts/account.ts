import type { Input, Reply } from '../../contract/operations.ts';
import type { Ctx } from '../platform/context.ts';
import type { AccountsTable } from '../platform/database/schema.ts';
import * as accounts from './store/accounts.ts';
import { write } from './write.ts';

/** Returns the account, with the URLs, limits and version of its service. */
export async function get(ctx: Ctx, _input: Input<'accountGet'>): Promise<Reply<'accountGet'>> {
  return { account: describe(ctx, await accounts.get(ctx.db, ctx.account_id)) };
}

/** Renames the account. */
export async function update(ctx: Ctx, { body }: Input<'accountUpdate'>): Promise<Reply<'accountUpdate'>> {
  const account = await write(ctx, async (tx, about) => {
    about(ctx.account_id, { noun: 'account' });
    if (body.name !== undefined) await accounts.rename(tx, ctx.account_id, body.name);
    return accounts.get(tx, ctx.account_id);
  });
  return { account: describe(ctx, account) };
}

function describe(ctx: Ctx, account: AccountsTable): Reply<'accountGet'>['account'] {
  const { console_url, base_url, connect_url, hooks_url, functions_domain } = ctx.settings.addresses;
  return {
    account_id: account.account_id,
    name: account.name,
    created_at: account.created_at,
    limits: { requests_per_second: ctx.settings.requestsPerSecond },
    addresses: { console_url, base_url, connect_url, hooks_url, functions_domain },
    version: ctx.settings.version,
    sandbox: {
      mode: ctx.runtime.mode,
      is_strong: ctx.runtime.advice === undefined,
      explanation: ctx.runtime.explanation,
    },
  };
}
