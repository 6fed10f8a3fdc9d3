import { isIP } from 'node:net';
import type { Addresses } from '../../lib/addresses.ts';
import { conflict } from '../../lib/failure.ts';

/** The site that passkeys belong to (WebAuthn, relying party): the host and the origin of the console. */
export type RelyingParty = { id: string; origin: string };

/** The relying party, or why browsers have no passkeys for the console's URL. A request can't choose either. */
export function relyingParty({
  console_url,
}: Pick<Addresses, 'console_url'>): (RelyingParty & { unavailable?: undefined }) | { unavailable: string } {
  const { protocol, hostname, origin } = new URL(console_url);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (!isAddress && (protocol === 'https:' || isLocal)) return { id: hostname, origin };
  const cause = isAddress ? 'an IP address' : 'plain http';
  return {
    unavailable: `Passkeys need a console URL with https and a host name; ${console_url} is ${cause} (SLUICE_CONSOLE_URL).`,
  };
}

/** The relying party; throws a 409 if there are no passkeys for the console's URL. */
export function getRelyingParty(addresses: Pick<Addresses, 'console_url'>): RelyingParty {
  const party = relyingParty(addresses);
  if (party.unavailable !== undefined) throw conflict(party.unavailable);
  return party;
}
