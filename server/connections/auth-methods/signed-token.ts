import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { createByteCache } from '../../lib/byte-cache.ts';
import type { Values } from '../apps/compile.ts';
import type { JwtMethod } from '../apps/definition.ts';
import { fill } from '../apps/template.ts';
import { signingKey } from './signing-key.ts';

/** Clock skew: some servers would reject a token that is valid from now. */
const CLOCK_SKEW_SECONDS = 30;
/** A token is signed again this long before it expires. */
const SPARE_MS = 60_000;

type Signed = { token: string; untilMs: number };

/** Recent tokens, by a hash of all their inputs, so that a changed key or definition yields a new token. */
const signed = createByteCache<Signed>(1024 * 1024);

/** The token to send with requests and its expiry; cached until shortly before that. */
export async function tokenFor(owner: string, method: JwtMethod, fields: Values): Promise<Signed> {
  const made = createHash('sha256').update(JSON.stringify([owner, method.token, fields]));
  const id = made.digest('base64');
  const known = signed.get(id);
  if (known && known.untilMs > Date.now()) return known;
  const fresh = await signToken(method.token, fields);
  signed.set(id, fresh, id.length + fresh.token.length);
  return fresh;
}

/** A token to exchange for an access token. It has a unique ID, because some providers reject repeated tokens. */
export async function assertionFor({ token, exchange }: JwtMethod, fields: Values): Promise<string> {
  const scope = exchange && exchange.scopes.length > 0 ? { scope: exchange.scopes.join(' ') } : {};
  return (await signToken(token, fields, { jti: randomUUID(), ...scope })).token;
}

/** A JWT (RFC 7519) in compact form. Throws `KeyMistake` for a key that can't sign. */
async function signToken(token: JwtMethod['token'], fields: Values, more: Values = {}): Promise<Signed> {
  const key = signingKey(token, fill(token.key, fields));
  const filled = (map: Values): Values =>
    Object.fromEntries(Object.entries(map).map(([name, template]) => [name, fill(template, fields)]));
  const iat = Math.floor(Date.now() / 1000) - CLOCK_SKEW_SECONDS;
  const exp = iat + token.lives_seconds;
  const text = await new SignJWT({ ...more, ...filled(token.claims), iat, exp })
    .setProtectedHeader({ typ: 'JWT', ...filled(token.header), alg: token.algorithm })
    .sign(key);
  return { token: text, untilMs: exp * 1000 - SPARE_MS };
}
