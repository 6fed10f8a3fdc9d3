import { expect, it } from 'vitest';
import { type EventSearch, eventSearchWords, parseEventSearch } from './event-search.ts';

const field = (of: 'payload' | 'headers', path: string[], value: string | null, isText = false) => ({
  of,
  path,
  value,
  isText,
});
const customer = field('payload', ['customer', 'id'], 'cust_4321');
const push = field('headers', ['x-github-event'], 'push');

it.each<[string, EventSearch]>([
  [' cust 4321 ', { texts: [' cust 4321 '], fields: [] }],
  ['"cust_4321"', { texts: ['"cust_4321"'], fields: [] }],
  ['payload.customer.id', { texts: ['payload.customer.id'], fields: [] }],
  ['mypayload.a = 1', { texts: ['mypayload.a = 1'], fields: [] }],
  ['"payload.a = 1"', { texts: ['"payload.a = 1"'], fields: [] }],
  ['payload.customer.id = cust_4321', { texts: [], fields: [customer] }],
  ['payload.customer.id=cust_4321 headers.X-GitHub-Event=push', { texts: [], fields: [customer, push] }],
  ['payload.customer.id = cust_4321 and headers.x-github-event = push', { texts: [], fields: [customer, push] }],
  ['a refund payload.customer.id = cust_4321 late', { texts: ['a refund', 'late'], fields: [customer] }],
  [
    'payload."a.b"."c d" = "say \\"x\\" = 1"',
    { texts: [], fields: [field('payload', ['a.b', 'c d'], 'say "x" = 1', true)] },
  ],
  ['payload.items.0.sku = 7', { texts: [], fields: [field('payload', ['items', '0', 'sku'], '7')] }],
  ['headers.x.y = a=b', { texts: [], fields: [field('headers', ['x.y'], 'a=b')] }],
  ['payload.refund = *', { texts: [], fields: [field('payload', ['refund'], null)] }],
  ['payload.refund = "*"', { texts: [], fields: [field('payload', ['refund'], '*', true)] }],
])('%s', (typed, search) => {
  const { texts, fields } = parseEventSearch(typed);
  expect({ texts: texts.toSorted(), fields }).toEqual({ ...search, texts: search.texts.toSorted() });
});

it.each([
  ['payload. = 1', 'at character 9: expected the name of a field'],
  ['payload.a..b = 1', 'at character 11: expected the name of a field'],
  ['payload.a"b" = 1', 'at character 10: expected . or ='],
  ['headers. = x', 'at character 9: expected the name of a header'],
  ['late payload.a =', 'at character 17: expected a value after ='],
  ['payload.a = "x', 'at character 12: expected a value after ='],
  ['payload.a = "x"y', 'at character 12: expected a value after ='],
  ['payload.a = "C:\\x"', 'at character 13: expected a text with the escapes of JSON'],
  ['payload."\\u0000" = 1', 'at character 9: expected no NUL'],
  ['payload.a != 1', 'at character 11: expected ='],
  ['payload.a > 1', 'at character 11: expected ='],
  ['payload.1.2.3.4 = x', 'at character 9: expected at most 3 numbers'],
  [Array.from({ length: 11 }, (_, i) => `payload.a=${i}`).join(' '), 'expected at most 10 conditions'],
])('%s is rejected', (typed, message) => {
  expect(() => parseEventSearch(typed)).toThrow(message);
});

it('conditions are described in words', () => {
  expect(eventSearchWords(parseEventSearch('late payload.a.b = "5" headers.x = * '))).toEqual([
    'payload.a.b is "5"',
    'headers.x has a value',
    'text "late"',
  ]);
  expect(eventSearchWords(parseEventSearch('late'))).toEqual([]);
});
