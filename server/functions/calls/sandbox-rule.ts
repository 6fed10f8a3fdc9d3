/**
 * Whether functions may run in the sandbox of this machine. Where no container works, an installation with one account
 * runs its own code, with a warning. With a second account, also the owner of a copied function, code of people who
 * need not trust each other shares the machine: then the weaker sandbox has to be chosen by a setting.
 */

import * as accounts from '../../accounts/store/accounts.ts';
import { Failure } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';

const RETRY_SECONDS = '60';
const counting = new WeakMap<Services['db'], Promise<boolean>>();

/** Rejects with 503 if functions may not run in a sandbox that no setting chose. */
export async function checkSandbox({ runtime, db }: Services): Promise<void> {
  if (!runtime.isFallback || !(await hasSeveral(db))) return;
  throw new Failure(
    503,
    'Functions do not run: this installation has several accounts, and the machine has no container to separate ' +
      'them. Make the sandbox strong (see the account settings or docs/reference/operating.md), or accept the weaker one with ' +
      'SLUICE_SANDBOX=permissions',
    { headers: { 'Retry-After': RETRY_SECONDS } },
  );
}

/** One query for all calls that ask at the same time. The result is not cached: another node may create an account. */
function hasSeveral(db: Services['db']): Promise<boolean> {
  const asked =
    counting.get(db) ??
    accounts.several(db).finally(() => {
      counting.delete(db);
    });
  counting.set(db, asked);
  return asked;
}
