import { expect, it } from 'vitest';
import { readAnswer } from './answer.ts';

const before = { method: 'POST', url: new URL('https://crm.example.com/api/v1?key=1') };
const read = (answer: unknown) => readAnswer(JSON.stringify(answer), before);

it('null skips, and an empty object changes nothing', () => {
  expect(read(null)).toBeNull();
  expect(read({})).toEqual({ method: undefined, path: undefined, headers: {}, body: undefined, contentType: null });
});

it.each([
  ['/api/v1', '/api/v1'],
  ['/api/v1/', '/api/v1/'],
  ['/api/v1?x=1', '/api/v1?x=1'],
  ['/api/v1/a%2Fb/ü', '/api/v1/a%2Fb/%C3%BC'],
])('a path within the URL of the destination is sent: %s', (path, sent) => {
  expect(read({ path })?.path).toBe(sent);
});

it.each([
  '/api/v2',
  '/api/v1x',
  '/',
  '//evil.example/api/v1',
  'https://evil.example/api/v1',
  '@evil.example/api/v1',
  '/api/v1/../v2',
  '/api/v1/..',
  '/api/v1/%2e%2E/v2',
  '/api/v1/.%2e/v2',
  '/api/v1\\..\\v2',
  '/api/v1/\t../v2',
  '/api/v1 HTTP/1.1\r\nx: y',
  '/api/v1#part',
  `/api/v1/${'a'.repeat(8200)}`,
  7,
])('a path outside of it, or with other characters, is refused: %s', (path) => {
  expect(() => read({ path })).toThrow(/^path: /);
});

it.each([
  [{ Host: 'evil.example' }, 'headers.Host'],
  [{ 'Content-Length': '1' }, 'headers.Content-Length'],
  [{ 'Transfer-Encoding': 'chunked' }, 'headers.Transfer-Encoding'],
  [{ 'webhook-signature': 'v1,x' }, 'headers.webhook-signature'],
  [{ 'x-a': 'one\r\nx-b: two' }, 'headers.x-a'],
  [{ 'x a': 'one' }, 'headers.x a'],
  [{ 'x-a': '1', 'X-A': '2' }, 'headers.X-A'],
  [{ 'x-a': true }, 'headers.x-a'],
  [['x-a'], 'headers'],
])('headers of the service, and those that HTTP cannot carry, are refused: %o', (headers, at) => {
  expect(() => read({ headers })).toThrow(`${at}: `);
});

it('headers are set and removed; masks of the destination’s values are ignored', () => {
  expect(read({ headers: { 'X-A': 'ü', 'x-b': null, 'x-c': 7, 'x-own': '••••••••/Z8=' } })?.headers).toEqual({
    'x-a': 'ü',
    'x-b': null,
    'x-c': '7',
  });
});

it('a header may have the name of a member of every object', () => {
  expect(read({ headers: { constructor: 'x' } })?.headers).toEqual({ constructor: 'x' });
});

it('a body is text, JSON with its long numbers, bytes, or none', () => {
  expect(read({ body: 'text' })).toMatchObject({ body: 'text', contentType: null });
  const long = readAnswer('{"body": {"id": 12345678901234567890}}', before);
  expect(long).toMatchObject({ body: '{"id":12345678901234567890}', contentType: 'application/json' });
  expect(read({ body: 'AMj/', is_base64_encoded: true })?.body).toEqual(Buffer.from([0, 200, 255]));
  expect(read({ body: null })?.body).toBeNull();
});

it.each([
  ['', 'no content'],
  ['{', 'expected JSON'],
  ['[]', 'an array'],
  [`{"body": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested at most 64 deep'],
  ['{"headers": {"A": "1", "a": "2"}}', 'headers.a: expected each header once'],
  ['{"url": "/"}', 'url: expected one of'],
  ['{"method": "TRACE"}', 'method: expected one of'],
  ['{"method": "GET", "body": 1}', 'body: expected none'],
  ['{"body": "!", "is_base64_encoded": true}', 'body: expected Base64'],
  ['{"is_base64_encoded": 1}', 'is_base64_encoded: expected'],
])('another answer is refused: %.60s', (text, message) => {
  expect(() => readAnswer(text, before)).toThrow(message);
});
