import { CONNECT_SESSION_MINUTES } from '../../contract/limits.ts';
import type { Addresses } from '../lib/addresses.ts';

/**
 * Cookie that identifies the browser of an OAuth flow: a callback without it completes nothing. With TLS its name has
 * the prefix `__Host-`, so that no sibling host can set it. Such a cookie applies to the whole host.
 */
const isSecure = ({ connect_url }: Addresses) => connect_url.startsWith('https:');
const nameOf = (addresses: Addresses) => `${isSecure(addresses) ? '__Host-' : ''}sluice_connect`;
const MAX_AGE_SECONDS = 2 * CONNECT_SESSION_MINUTES * 60;

/** Returns the well-formed value of the cookie in a Cookie header. */
export function readConnectCookie(addresses: Addresses, header: string | undefined): string | undefined {
  const name = nameOf(addresses);
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return undefined;
}

/** Returns the Set-Cookie header. A browser has one value for all its flows; each flow renews it. */
export function connectCookie(addresses: Addresses, text: string): string {
  const path = isSecure(addresses) ? '/' : new URL(addresses.connect_url).pathname;
  const secure = isSecure(addresses) ? '; Secure' : '';
  return `${nameOf(addresses)}=${text}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}${secure}`;
}
