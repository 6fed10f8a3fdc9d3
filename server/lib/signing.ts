import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** A signing secret as Standard Webhooks writes it: `whsec_` and base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
}

/** What a secret signs with; made once for many messages. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

/**
 * The three headers of a signed message (https://www.standardwebhooks.com, specification 1.0.0): HMAC-SHA256 over
 * `id.timestamp.body`, one `v1,<base64>` for each secret, so that old and new both sign while a secret is rotated.
 */
export function signatureHeaders(keys: KeyObject[], id: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
