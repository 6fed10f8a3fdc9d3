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

test('the command has the key and the request, quoted for the shell', () => {
  expect(callCurl({ url, invoke_access: 'KEY' }, request)).toBe(
    [
      `curl -i -X POST '${url}/a?x=1+2'`,
      `-H "Authorization: Bearer $API_KEY"`,
      `-H 'x-a: it'\\''s'`,
      `--data-raw '{"a":"b'\\''c"}'`,
    ].join(' \\\n  '),
  );
});

test('a function without authentication needs no key', () => {
  expect(callCurl({ url, invoke_access: 'ANYONE' }, { method: 'GET' })).toBe(`curl -i -X GET '${url}/'`);
});
