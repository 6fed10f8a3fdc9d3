import { expect, test } from 'vitest';
import { callCurl } from './call-curl.ts';

const url = 'http://refunds.fn.localhost:4400';
const request = {
  method: 'POST',
  path: '/a',
  query: { x: '1 2' },
  headers: { 'x-a': "it's" },
  body: `{"a":"b'c"}`,
} as const;

test('a call of the address carries the key, the request, and survives the shell', () => {
  expect(callCurl({ url, invoke_access: 'KEY' }, request)).toBe(
    [
      `curl -i -X POST '${url}/a?x=1+2'`,
      `-H "Authorization: Bearer $API_KEY"`,
      `-H 'x-a: it'\\''s'`,
      `--data-raw '{"a":"b'\\''c"}'`,
    ].join(' \\\n  '),
  );
});

test('a function that is open to anyone needs no key', () => {
  expect(callCurl({ url, invoke_access: 'ANYONE' }, { method: 'GET' })).toBe(`curl -i -X GET '${url}/'`);
});
