/**
 * A secret that a source sends in its handshake and that the user must enter on the source's page. Until a request
 * signed with it arrives, a later handshake replaces it, and `secret:reveal` shows it. After that it is an ordinary
 * secret.
 */

import type { Services } from '../../platform/context.ts';
import * as store from '../store/triggers.ts';
import type { Hook } from './hooks.ts';
import { openSecret, type SourceSecret, sealSecret } from './source-secrets.ts';

const SECRET_MAX_CHARS = 1000;

/** False for a text that can't be a secret. */
export async function storeHandshakeSecret(services: Services, hook: Hook, given: string): Promise<boolean> {
  if (given === '' || given.length > SECRET_MAX_CHARS) return false;
  await change(services, hook, (secret) =>
    secret === null || secret.unconfirmed ? { current: given, previous: null, unconfirmed: true } : secret,
  );
  return true;
}

export async function confirmSecret(services: Services, hook: Hook): Promise<void> {
  await change(services, hook, (secret) => secret && { ...secret, unconfirmed: false });
}

async function change(
  services: Services,
  { account_id, trigger_id }: Hook,
  to: (secret: SourceSecret | null) => SourceSecret | null,
): Promise<void> {
  const { db, vault } = services;
  const ingress_hash = await db.transaction().execute(async (tx) => {
    const row = await store.lock(tx, account_id, trigger_id);
    if (!row) return null;
    const secret = to(openSecret(vault, row));
    const source_secret = secret && sealSecret(vault, row, secret);
    await store.update(tx, account_id, trigger_id, { source_secret });
    return row.ingress_hash;
  });
  services.changed(account_id, { noun: 'trigger', trigger_id, ingress_hash });
}
