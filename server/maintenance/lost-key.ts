/**
 * A new master key for an installation that has lost its own. Events, deliveries, runs, code and settings are not sealed
 * and are kept. Secrets cannot be read again: they are removed, and what needs them says so.
 */
import { sealSecret } from '../deliveries/destinations/destination-secrets.ts';
import { now } from '../lib/clock.ts';
import { newSigningSecret } from '../lib/signing.ts';
import type { Db } from '../platform/database/schema.ts';
import { hold } from '../platform/hold.ts';
import { replaceCanary } from '../platform/vault/open-vault.ts';
import { discard } from '../platform/vault/rewrap.ts';
import type { Vault } from '../platform/vault/vault.ts';
import * as store from './store/lost-secrets.ts';

export type { Lost } from './store/lost-secrets.ts';
export const listLost = store.list;

/**
 * Removes all secrets, in one transaction, and puts the installation on hold. Connections become FAILED (KEY_LOST),
 * destinations get new signing secrets, and webhook URLs continue to work but are no longer shown. Returns what was
 * removed.
 */
export function replaceKey(db: Db, vault: Vault): Promise<store.Lost> {
  return db.transaction().execute(async (tx) => {
    const lost = await store.list(tx);
    const message = 'The master key of this installation was lost, and with it these credentials.';
    await store.mark(tx, JSON.stringify({ code: 'KEY_LOST', message, since: now() }));
    await discard(tx);
    for (const destination of await store.listDestinations(tx))
      await store.setSigningSecret(tx, destination.destination_id, sealSecret(vault, destination, newSigningSecret()));
    await replaceCanary(tx, vault);
    await hold(tx, { cause: 'KEY', origin: null });
    return lost;
  });
}
