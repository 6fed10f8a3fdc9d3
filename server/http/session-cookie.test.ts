import { expect, it } from 'vitest';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';

const at = (console_url: string) => ({
  console_url,
  base_url: '',
  connect_url: '',
  hooks_url: '',
  functions_domain: 'fn.example.com',
  functions_scheme: 'https',
  gateway_domain: 'gw.example.com',
});
const token = 't'.repeat(43);

it('with TLS no sibling host can set a session', () => {
  const addresses = at('https://console.example.com');
  const own = sessionCookie(addresses, token);
  expect(own).toBe(`__Host-sluice_session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure`);
  const planted = `sluice_session=${'p'.repeat(43)}`;
  expect(readSessionCookie(addresses, planted)).toBeUndefined();
  expect(readSessionCookie(addresses, `${planted}; ${own.split(';')[0]}`)).toBe(token);
});

it('without TLS the name has no prefix; malformed tokens are ignored', () => {
  const addresses = at('http://localhost:4400');
  expect(readSessionCookie(addresses, `a=b; sluice_session="x"; sluice_session=${token}`)).toBe(token);
  expect(readSessionCookie(addresses, undefined)).toBeUndefined();
});
