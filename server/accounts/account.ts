import type { Input, Reply } from '../../contract/operations.ts';
import { conflict } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { AccountsTable } from '../platform/database/schema.ts';
import { requireConfirmation } from './auth.ts';
import { keepAWayIn } from './openid/identity-providers.ts';
import * as accounts from './store/accounts.ts';
import * as factors from './store/factors.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** Returns the account, with the URLs, limits and version of its service. */
export async function get(ctx: Ctx, _input: Input<'accountGet'>): Promise<Reply<'accountGet'>> {
  return { account: describe(ctx, await accounts.get(ctx.db, ctx.account_id)) };
}

/**
 * Renames the account, or changes whether its members need a second factor or may sign in with a password. Without
 * passwords, the sessions that one opened end, except those of the acting owner.
 */
export async function update(ctx: Ctx, { body }: Input<'accountUpdate'>): Promise<Reply<'accountUpdate'>> {
  const { name, require_second_factor, password_sign_in } = body;
  if (require_second_factor !== undefined || password_sign_in !== undefined) requireConfirmation(ctx);
  if (require_second_factor && !(await hasFactor(ctx)))
    throw conflict('require_second_factor: set up a second factor of your own first');
  const account = await write(ctx, async (tx, about, note) => {
    const before = await accounts.get(tx, ctx.account_id);
    about(ctx.account_id, { noun: 'account' });
    await accounts.update(tx, ctx.account_id, {
      ...(name === undefined ? {} : { name }),
      ...(require_second_factor === undefined ? {} : { require_second_factor }),
      ...(password_sign_in === undefined ? {} : { password_sign_in }),
    });
    if (password_sign_in === false) {
      await keepAWayIn(ctx, tx);
      await sessions.removeByPassword(tx, ctx.account_id, ctx.actor.id);
    }
    const after = await accounts.get(tx, ctx.account_id);
    note(body, before, after);
    return after;
  });
  return { account: describe(ctx, account) };
}

/** Whether the caller is a person with a second factor. */
async function hasFactor({ db, account_id, actor }: Ctx): Promise<boolean> {
  const user = actor.type === 'USER' ? await users.find(db, account_id, actor.id ?? '') : undefined;
  return user?.person_id != null && (await factors.having(db, [user.person_id])).size > 0;
}

function describe(ctx: Ctx, account: AccountsTable): Reply<'accountGet'>['account'] {
  const { console_url, base_url, connect_url, hooks_url, functions_domain, gateway_domain } = ctx.settings.addresses;
  return {
    account_id: account.account_id,
    name: account.name,
    created_at: account.created_at,
    require_second_factor: account.require_second_factor,
    limits: { requests_per_second: ctx.settings.requestsPerSecond },
    addresses: { console_url, base_url, connect_url, hooks_url, functions_domain, gateway_domain },
    base_url_blocked: ctx.baseUrlRefusal(),
    password_sign_in: account.password_sign_in,
    version: ctx.settings.version,
    database: ctx.settings.database,
    sandbox: {
      mode: ctx.runtime.mode,
      is_strong: ctx.runtime.advice === undefined,
      explanation: ctx.runtime.explanation,
    },
  };
}
