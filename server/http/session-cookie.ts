import { SECOND_FACTOR_MINUTES, SESSION_DAYS } from '../../contract/limits.ts';
import type { Addresses } from '../lib/addresses.ts';

/**
 * With TLS the cookie's name has the prefix `__Host-`: browsers then accept it from this host only, so that a function
 * on a sibling host can't set a session here.
 */
const isSecure = ({ console_url }: Addresses) => console_url.startsWith('https:');
const nameOf = (addresses: Addresses, name: string) => `${isSecure(addresses) ? '__Host-' : ''}sluice_${name}`;

const DAY_SECONDS = 24 * 3600;
const DEVICE_DAYS = 365;

/** Returns the well-formed session token of a Cookie header. */
export const readSessionCookie = (addresses: Addresses, header: string | undefined): string | undefined =>
  read(header, nameOf(addresses, 'session'), /^[A-Za-z0-9_-]{20,100}$/);

/** Returns the Set-Cookie header that sets a token, or removes it (null). */
export const sessionCookie = (addresses: Addresses, token: string | null): string =>
  cookie(addresses, 'session', token ?? '', token === null ? 0 : SESSION_DAYS * DAY_SECONDS);

/** Returns the well-formed mark of a browser in which a user has signed in. */
export const readDeviceCookie = (addresses: Addresses, header: string | undefined): string | undefined =>
  read(header, nameOf(addresses, 'device'), /^[A-Za-z0-9_.-]{20,200}$/);

export const deviceCookie = (addresses: Addresses, mark: string): string =>
  cookie(addresses, 'device', mark, DEVICE_DAYS * DAY_SECONDS);

/** Returns the well-formed token of a sign-in in progress. */
export const readSigningInCookie = (addresses: Addresses, header: string | undefined): string | undefined =>
  read(header, nameOf(addresses, 'signing_in'), /^[A-Za-z0-9_-]{43}$/);

export const signingInCookie = (addresses: Addresses, token: string | null): string =>
  cookie(addresses, 'signing_in', token ?? '', token === null ? 0 : SECOND_FACTOR_MINUTES * 60);

function read(header: string | undefined, name: string, form: RegExp): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && form.test(value)) return value;
  }
  return undefined;
}

function cookie(addresses: Addresses, name: string, value: string, age: number): string {
  const secure = isSecure(addresses) ? '; Secure' : '';
  return `${nameOf(addresses, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}
