/** Ends sessions for an operator: `npm run end-sessions`. */
import type { Db } from '../platform/database/schema.ts';
import * as accounts from './store/accounts.ts';
import * as audit from './store/audit.ts';
import * as people from './store/people.ts';
import * as sessions from './store/sessions.ts';

/**
 * Ends all sessions of the person with this address, or of everyone (null). Returns how many ended; null if no active
 * member has the address. The next request of such a session is a 401 on every node: sessions are not cached. `by` is
 * the actor in the audit log of the accounts.
 */
export async function endSessions(db: Db, email: string | null, by: string): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const record = (account_id: string, resource_id: string) =>
      audit.insert(tx, account_id, { ...audit.bySystem(by), operation: 'sessionRevoke', resource_id });
    if (email === null) {
      for (const account_id of await accounts.ids(tx)) await record(account_id, account_id);
      return sessions.removeAll(tx);
    }
    const person = await people.withEmail(tx, email);
    const members = person ? await people.memberships(tx, person.person_id) : [];
    if (!person || members.length === 0) return null;
    for (const { account_id, user_id } of members) await record(account_id, user_id);
    return sessions.removeOthers(tx, person.person_id, { kept: null });
  });
}
