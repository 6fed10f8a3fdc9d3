/**
 * How a session was opened, and what follows from it.
 *
 * An identity provider of an account is chosen by its owners, who could have it vouch for any email address. A session
 * through it is therefore limited to this account (`only_account`): it does not show or change what belongs to the
 * person (password, second factors, sessions and memberships elsewhere), and it does not enter another account.
 * Everything of that kind calls `requireOwnSignIn`. An account without `password_sign_in` is entered only through a
 * provider: every session is opened by `open` of sessions.ts, which calls `requireEntrance`.
 */
import { Failure } from '../../lib/failure.ts';
import type { PeopleTable, Tx } from '../../platform/database/schema.ts';
import type { SignedIn } from '../auth.ts';
import * as accounts from '../store/accounts.ts';

export type Entrance = {
  /** Whether a password, or a link for a new one, opened the session. */
  byPassword: boolean;
  provider_id: string | null;
  only_account: boolean;
  id_token: string | null;
  /** When the user authenticated; null for now. */
  authenticated_at: string | null;
};

const OWN = { provider_id: null, only_account: false, id_token: null, authenticated_at: null };
export const BY_PASSWORD: Entrance = { byPassword: true, ...OWN };
/** A way in that every account accepts, such as the link that an operator creates for an owner. */
export const BY_OPERATOR: Entrance = { byPassword: false, ...OWN };

/** The entrance of an open session, for another session that replaces it. */
export const entranceOf = ({ provider_id, only_account }: SignedIn): Entrance => ({
  ...OWN,
  byPassword: provider_id === null,
  provider_id,
  only_account,
});

/** Throws a 403 for a session that is limited to its account. */
export function requireOwnSignIn({ only_account }: Pick<SignedIn, 'only_account'>): void {
  if (!only_account) return;
  throw new Failure(
    403,
    'You signed in through an identity provider of this account, which is limited to the account. Sign in without it first.',
  );
}

/** Throws a 403 if the account is not entered in this way. Locks its settings until the transaction ends. */
export async function requireEntrance(tx: Tx, account_id: string, { byPassword }: Entrance): Promise<void> {
  const { password_sign_in, name } = await accounts.lockSettings(tx, account_id);
  if (byPassword && !password_sign_in) throw passwordsOff(name);
}

export const passwordsOff = (account_name: string) =>
  new Failure(403, `${account_name} does not allow passwords. Sign in through its identity provider.`);

/** Whether the person can sign in without an identity provider, and so has to confirm that one may vouch for them. */
export const hasOwnSignIn = ({ password_hash }: PeopleTable): boolean => password_hash !== null;
