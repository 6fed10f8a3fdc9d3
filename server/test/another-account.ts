/** Another account with a key, stored as the service stores it: no operation creates an account without a person. */
import * as accounts from '../accounts/store/accounts.ts';
import * as apiKeys from '../accounts/store/api-keys.ts';
import { fromNow, now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newApiKey, prefixOf } from '../lib/tokens.ts';
import type { Connection } from '../platform/database/connection.ts';
import { openDatabase } from '../platform/database/database.ts';
import type { Db } from '../platform/database/schema.ts';

export type KeyOfAccount = { account_id: string; key: string };

export async function addAccount(db: Db, name: string): Promise<KeyOfAccount> {
  const [account_id, key] = [newId(), newApiKey()];
  await db.transaction().execute(async (tx) => {
    await accounts.insert(tx, { account_id, name, created_at: now(), require_second_factor: false });
    await apiKeys.insert(tx, account_id, {
      key_id: newId(),
      name: 'second',
      prefix: prefixOf(key),
      hash: hashToken(key),
      created_by: 'test',
      created_by_type: 'SYSTEM',
      created_by_name: 'test',
      created_at: now(),
      expires_at: fromNow(24 * 3_600_000),
      limits: null,
    });
  });
  return { account_id, key };
}

/** The same in the database of a service that runs as a separate process. */
export async function addAccountTo(connection: Connection, name: string): Promise<KeyOfAccount> {
  const database = openDatabase(connection, { poolSize: 1, log: { warn() {} } });
  try {
    return await addAccount(database.kysely, name);
  } finally {
    await database.close();
  }
}
