/** The secrets that a trigger and its source share: the URL token and the signing secret. Stored sealed. */
import { now } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';
import { newSigningSecret } from '../../lib/signing.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Check } from './signature.ts';

type Owner = Pick<TriggersTable, 'account_id' | 'trigger_id'>;

export type SourceSecret = {
  current: string;
  /** Also valid until then. */
  previous: { secret: string; until: string } | null;
  /** Sent by the source in its handshake; no request signed with it has arrived yet. */
  unconfirmed: boolean;
};

const place = ({ account_id, trigger_id }: Owner, field: 'ingress_token' | 'source_secret') => ({
  account_id,
  table: 'triggers',
  row: trigger_id,
  field,
});

/** The columns of a new webhook URL. */
export function newAddress(vault: Vault, owner: Owner): Pick<TriggersTable, 'ingress_hash' | 'ingress_token'> {
  const token = newToken();
  return { ingress_hash: hashToken(token), ingress_token: vault.seal(place(owner, 'ingress_token'), token) };
}

export const openToken = (vault: Vault, owner: Owner, sealed: string): string =>
  vault.open(place(owner, 'ingress_token'), sealed);

export const sealSecret = (vault: Vault, owner: Owner, secret: SourceSecret): string =>
  vault.seal(place(owner, 'source_secret'), JSON.stringify(secret));

export function openSecret(
  vault: Vault,
  row: Pick<TriggersTable, 'account_id' | 'trigger_id' | 'source_secret'>,
): SourceSecret | null {
  if (row.source_secret === null) return null;
  return JSON.parse(vault.open(place(row, 'source_secret'), row.source_secret)) as SourceSecret;
}

export const onlySecret = (current: string): SourceSecret => ({ current, previous: null, unconfirmed: false });

/** The current signing secret. */
export function countingSecrets(secret: SourceSecret | null, at = now()): string[] {
  if (secret === null) return [];
  const { current, previous } = secret;
  return previous && previous.until > at ? [current, previous.secret] : [current];
}

/** A generated secret. */
export const newSecret = (check: Check): string =>
  check.kind === 'token' && check.also ? newSigningSecret() : newToken();

/** Rejects a secret that could never verify a request. */
export function checkSecret(check: Check, secret: string): void {
  if (check.kind === 'standard' && !/^(?:whsec_|whpk_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
    throw badRequest('secret: expected whsec_ and Base64, as the sender shows it');
  if (check.kind === 'ed25519' && !/^[0-9a-f]{64}$/i.test(secret))
    throw badRequest('secret: expected the public key as 64 hexadecimal digits');
}
