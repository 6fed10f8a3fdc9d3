import { SESSION_DAYS } from '../../contract/limits.ts';
import type { Addresses } from '../lib/addresses.ts';

/**
 * Behind TLS the name says `__Host-`: a browser then takes it from this very host only, so that a function on an
 * adjacent host can't plant its session here.
 */
const isSecure = ({ console_url }: Addresses) => console_url.startsWith('https:');
const nameOf = (addresses: Addresses) => `${isSecure(addresses) ? '__Host-' : ''}sluice_session`;

/** The session token of a Cookie header, when it looks like one. */
export function readSessionCookie(addresses: Addresses, header: string | undefined): string | undefined {
  const name = nameOf(addresses);
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && /^[A-Za-z0-9_-]{20,100}$/.test(value)) return value;
  }
  return undefined;
}

/** Set-Cookie for a new token, or for none. */
export function sessionCookie(addresses: Addresses, token: string | null): string {
  const secure = isSecure(addresses) ? '; Secure' : '';
  const age = token === null ? 0 : SESSION_DAYS * 24 * 3600;
  return `${nameOf(addresses)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}
