import { SESSION_DAYS } from '../../contract/limits.ts';
import type { Addresses } from '../lib/addresses.ts';

/**
 * With TLS the cookie's name has the prefix `__Host-`: browsers then accept it from this host only, so that a function
 * on a sibling host can't set a session here.
 */
const isSecure = ({ console_url }: Addresses) => console_url.startsWith('https:');
const nameOf = (addresses: Addresses) => `${isSecure(addresses) ? '__Host-' : ''}sluice_session`;

/** Returns the well-formed session token of a Cookie header. */
export function readSessionCookie(addresses: Addresses, header: string | undefined): string | undefined {
  const name = nameOf(addresses);
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && /^[A-Za-z0-9_-]{20,100}$/.test(value)) return value;
  }
  return undefined;
}

/** Returns the Set-Cookie header that sets a token, or removes it (null). */
export function sessionCookie(addresses: Addresses, token: string | null): string {
  const secure = isSecure(addresses) ? '; Secure' : '';
  const age = token === null ? 0 : SESSION_DAYS * 24 * 3600;
  return `${nameOf(addresses)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}
