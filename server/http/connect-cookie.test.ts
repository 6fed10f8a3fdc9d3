import { describe, expect, it } from 'vitest';
import { connectCookie, readConnectCookie } from './connect-cookie.ts';

const TEXT = 'a'.repeat(43);
const at = (connect_url: string) => ({
  console_url: connect_url,
  base_url: connect_url,
  connect_url,
  hooks_url: connect_url,
  functions_domain: 'fn.example.com',
  functions_scheme: 'https',
  gateway_domain: 'gw.example.com',
});
const plain = at('http://localhost:4400/connect');
const behindTls = at('https://connect.example.com/c');

describe('the connect cookie', () => {
  it('is limited to the connect window’s path and hidden from scripts', () => {
    expect(connectCookie(plain, TEXT)).toBe(
      `sluice_connect=${TEXT}; Path=/connect; HttpOnly; SameSite=Lax; Max-Age=3600`,
    );
  });

  it('is bound to the exact host with TLS', () => {
    expect(connectCookie(behindTls, TEXT)).toBe(
      `__Host-sluice_connect=${TEXT}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure`,
    );
    expect(readConnectCookie(behindTls, `sluice_connect=${TEXT}`)).toBe(undefined);
    expect(readConnectCookie(behindTls, `a=b; __Host-sluice_connect=${TEXT}`)).toBe(TEXT);
  });

  it('is read only if well-formed', () => {
    expect(readConnectCookie(plain, `sluice_session=x; sluice_connect=${TEXT}`)).toBe(TEXT);
    for (const header of [undefined, '', 'sluice_connect=', 'sluice_connect=short', `xsluice_connect=${TEXT}`])
      expect(readConnectCookie(plain, header)).toBe(undefined);
  });
});
