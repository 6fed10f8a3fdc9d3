import { CONNECT_SESSION_MINUTES } from '../../contract/limits.ts';
import type { Addresses } from '../lib/addresses.ts';

/**
 * Identifies the browser that left for a provider: a browser that comes back without it completes nothing. Behind
 * TLS the name says `__Host-`, so that no adjacent host can plant one; such a cookie is for the whole host.
 */
const isSecure = ({ connect_url }: Addresses) => connect_url.startsWith('https:');
const nameOf = (addresses: Addresses) => `${isSecure(addresses) ? '__Host-' : ''}sluice_connect`;
const MAX_AGE_SECONDS = 2 * CONNECT_SESSION_MINUTES * 60;

/** The text of the cookie in a Cookie header, when it looks like one. */
export function readConnectCookie(addresses: Addresses, header: string | undefined): string | undefined {
  const name = nameOf(addresses);
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return undefined;
}

/** Set-Cookie for it. One text serves every flow of a browser, and lives on with each. */
export function connectCookie(addresses: Addresses, text: string): string {
  const path = isSecure(addresses) ? '/' : new URL(addresses.connect_url).pathname;
  const secure = isSecure(addresses) ? '; Secure' : '';
  return `${nameOf(addresses)}=${text}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}${secure}`;
}
