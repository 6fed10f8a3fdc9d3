import type { Input, Reply } from '../../contract/operations.ts';
import type { Ctx } from '../platform/context.ts';
import type { AccountsTable } from '../platform/database/schema.ts';
import { requireConfirmation } from './auth.ts';
import { keepAWayIn } from './openid/identity-providers.ts';
import * as accounts from './store/accounts.ts';
import * as sessions from './store/sessions.ts';
import { write } from './write.ts';

/** Returns the account, with the URLs, limits and version of its service. */
export async function get(ctx: Ctx, _input: Input<'accountGet'>): Promise<Reply<'accountGet'>> {
  return { account: describe(ctx, await accounts.get(ctx.db, ctx.account_id)) };
}

/**
 * Renames the account, or changes whether members may sign in with a password. Without passwords, the sessions that one
 * opened end, except those of the acting owner.
 */
export async function update(ctx: Ctx, { body }: Input<'accountUpdate'>): Promise<Reply<'accountUpdate'>> {
  if (body.password_sign_in !== undefined) requireConfirmation(ctx);
  const account = await write(ctx, async (tx, about) => {
    about(ctx.account_id, { noun: 'account' });
    const { name, password_sign_in } = body;
    await accounts.update(tx, ctx.account_id, {
      ...(name === undefined ? {} : { name }),
      ...(password_sign_in === undefined ? {} : { password_sign_in }),
    });
    if (password_sign_in === false) {
      await keepAWayIn(ctx, tx);
      await sessions.removeByPassword(tx, ctx.account_id, ctx.actor.id);
    }
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
    password_sign_in: account.password_sign_in,
    version: ctx.settings.version,
    sandbox: { mode: ctx.runtime.mode, explanation: ctx.runtime.explanation },
  };
}
