import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** A signing secret in the format of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
}

/** The key of a secret; create it once for many messages. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

/**
 * The three headers of a signed message (https://www.standardwebhooks.com, specification 1.0.0): HMAC-SHA256 over
 * `id.timestamp.body`, one `v1,<base64>` per secret, so that the old and the new secret sign during a rotation.
 */
export function signatureHeaders(
  keys: KeyObject[],
  id: string,
  atMs: number,
  body: string | Uint8Array,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
