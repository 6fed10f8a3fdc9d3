import { expect, it } from 'vitest';
import { keptOf, storedRequest, storedResponse } from './run-exchange.ts';

const head = {
  method: 'POST',
  scheme: 'http' as const,
  host: 'a.fn.localhost',
  path: '/',
  protocol: 'HTTP/1.1',
  source_ip: '127.0.0.1',
  headers: [
    ['Authorization', 'Bearer secret'],
    ['Cookie', 'a=secret; flag'],
    ['Proxy-Authorization', 'secret'],
    ['X-Api-Key', 'secret'],
    ['X-Other', 'kept'],
  ] as const,
};
const cut = (text: string, bytes: number) => ({ bytes: Buffer.from(text).subarray(0, bytes), cut: true });

it('truncates between characters', () => {
  for (const [bytes, text] of [
    [3, '日'],
    [4, '日'],
    [5, '日'],
    [6, '日本'],
    [1, ''],
  ] as const)
    expect(JSON.parse(storedRequest(head, 'a', cut('日本語', bytes))), `${bytes} bytes`).toMatchObject({
      body: text,
      is_base64_encoded: false,
      truncated: true,
    });
  expect(storedResponse([], cut('a😀', 4))).toMatchObject({ response_body: 'a', response_base64: false });
  expect(storedResponse([], cut('a😀b', 5))).toMatchObject({ response_body: 'a😀', response_base64: false });
});

it('stores bytes that are not text as Base64', () => {
  for (const bytes of [Buffer.from([0xff, 0x00]), Buffer.from('a\0b')])
    expect(storedResponse([], keptOf(bytes))).toMatchObject({
      response_body: bytes.toString('base64'),
      response_base64: true,
      response_truncated: false,
    });
});

it('contains no secret', () => {
  const request = storedRequest(head, 'a', keptOf(Buffer.from('body')));
  expect(request).not.toContain('secret');
  expect(JSON.parse(request)).toMatchObject({
    headers: { authorization: 'REDACTED', cookie: 'REDACTED', 'x-api-key': 'REDACTED', 'x-other': 'kept' },
    cookies: ['a=REDACTED', 'flag=REDACTED'],
  });
  expect(storedResponse([['Set-Cookie', 'id=secret']], keptOf(Buffer.from(''))).response_headers).not.toContain(
    'secret',
  );
});
