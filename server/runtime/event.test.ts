import { expect, test } from 'vitest';
import { type RequestHead, requestEvent } from './event.ts';

const head: RequestHead = {
  method: 'POST',
  scheme: 'https',
  host: 'hello.fn.example.com',
  path: '/a%20b/c?x=1&x=2&y=%C3%A9?',
  protocol: 'HTTP/1.1',
  source_ip: '203.0.113.9',
  headers: [
    ['User-Agent', 'curl'],
    ['Cookie', 'a=1; b=2'],
    ['Accept', 'text/html'],
    ['accept', 'text/plain'],
  ],
};

test('a request becomes the documented event', () => {
  expect(requestEvent(head, 'hello', Buffer.from('{"é":1}'))).toEqual({
    method: 'POST',
    raw_path: '/a%20b/c',
    path: '/a b/c',
    raw_query_string: 'x=1&x=2&y=%C3%A9?',
    query_params: { x: '1,2', y: 'é?' },
    headers: { 'user-agent': 'curl', cookie: 'a=1; b=2', accept: 'text/html, text/plain' },
    cookies: ['a=1', 'b=2'],
    body: '{"é":1}',
    is_base64_encoded: false,
    source_ip: '203.0.113.9',
    user_agent: 'curl',
    protocol: 'HTTP/1.1',
    host: 'hello.fn.example.com',
    label: 'hello',
  });
});

test('bytes that are not text become Base64', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  const event = requestEvent(head, 'hello', bytes);
  expect(event.is_base64_encoded).toBe(true);
  expect(Buffer.from(event.body, 'base64').equals(bytes)).toBe(true);
});

test('a path that cannot be decoded is unchanged', () => {
  expect(requestEvent({ ...head, path: '/%zz' }, 'hello', new Uint8Array())).toMatchObject({
    path: '/%zz',
    raw_query_string: '',
    body: '',
  });
});
