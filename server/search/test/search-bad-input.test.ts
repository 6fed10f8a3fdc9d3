/** Malformed queries: rejected with a parameter and a position, or read literally. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

type Found = Reply<'functionSearch'> & { message: string };
const HANDLER = 'export default { fetch: () => new Response("") };\n';
const LONG = `const data = "${'0123456789'.repeat(20_000)}-longneedle-${'x'.repeat(5000)}";`;
const WIDE = 'a whole 😀 and \ufffd alone';
const RIGHT_TO_LEFT = 'const ערך = "שלום עולם"; // مرحبا بالعالم\n';

const service = serviceForAll();
beforeAll(async () => {
  const files = {
    'index.ts': HANDLER,
    'odd.txt': 'one\\two "three"\n\nfour\r\n',
    'wide.txt': WIDE,
    'right.js': RIGHT_TO_LEFT,
    'long.js': LONG,
  };
  await makeFunction(service, files, { name: 'Odd / "signs" \\', description: '100% of <-> & | :*' });
});

const ask = async (query: string) => {
  const { status, body } = await service.api<Found>('GET', `/functions/search?${query}`);
  return { status, ...body };
};
const search = (query: Record<string, string>) => ask(new URLSearchParams(query).toString());

describe('an unclosed quote or slash is read as words, and reported as such', () => {
  it.each([
    '"',
    '/',
    '"unclosed',
    'unclosed"',
    '"unclosed\\"',
    '/unclosed',
    '/unclosed\\/',
    '/closed/i',
    '\\',
    '\\\\',
    '"\\"',
    '/\\/',
    '“x”',
    "'x'",
    'path:',
    'owner: x',
    `/${'\\'.repeat(997)}/`,
    `"${'\\'.repeat(997)}"`,
  ])('%s', async (q) => {
    expect(await search({ q })).toMatchObject({ status: 200, mode: 'ranked', query: q });
  });
});

describe('delimiters within delimiters', () => {
  it.each<[string, string, string, number]>([
    ['"\\\\"', 'literal', '\\', 1],
    ['"\\"three"', 'literal', '"three', 1],
    ['""three""', 'literal', '"three"', 1],
    ['"e\\t"', 'literal', 'e\\t', 1],
    ['/e\\\\t/', 'regex', 'e\\\\t', 1],
    ['/\\u006fne\\\\/', 'regex', '\\u006fne\\\\', 1],
    ['/\\u{1F600}/', 'regex', '\\u{1F600}', 1],
    ['/\\ud83d\\ude00/', 'regex', '\\ud83d\\ude00', 1],
    ['/\\x{1f600}/', 'regex', '\\x{1f600}', 1],
    ['/" "|"three"/', 'regex', '" "|"three"', 1],
    ['/three/ path:odd', 'regex', 'three', 1],
    ['/three/ path:odd path:/', 'regex', 'three', 0],
    ['/longneedle/ path:lib/', 'regex', 'longneedle', 0],
    ['/longneedle\\/ path:lib/', 'regex', 'longneedle/ path:lib', 0],
    ['"three" runtime:"nodejs24.x"', 'literal', 'three', 1],
  ])('%s is read as %s %s', async (q, mode, query, count) => {
    const { functions, ...found } = await search({ q });
    expect(found).toMatchObject({ status: 200, mode, query });
    expect(functions[0]?.hit_count ?? 0).toBe(count);
  });
});

describe('an invalid query is rejected with the position of its fault', () => {
  it.each([
    ['/a(?=b)/', /^q: look-ahead and look-behind are not supported.*\(at character 3\)$/],
    ['/a(?!b)/', /^q: look-ahead.*\(at character 3\)$/],
    ['/(?<=a)b/', /^q: look-ahead.*\(at character 2\)$/],
    ['/(?<!a)b/', /^q: look-ahead.*\(at character 2\)$/],
    ['"a" OR ("b" AND "c"', /^q: this \( is not closed \(at character 8\)$/],
    ['"a" OR "😀" )', /^q: this \) closes nothing \(at character 12\)$/],
    ['NOT "a"', /^q: expected something to search for beside what is excluded \(at character 1\)$/],
    ['"a" OR /b(c/', /^q: missing closing \) \(at character 10\)$/],
    ['"a" AND path:/(/', /^q: missing closing \) \(at character 9\)$/],
    ['"a" path:/(/', /^q: missing closing \) \(at character 5\)$/],
    ['"a" "b" langg:py', /^q: there is no filter langg: \(did you mean lang:\?\) \(at character 9\)$/],
    ['"a" runs:many', /^q: expected a number, such as runs:>100 or runs:1\.\.5 \(at character 5\)$/],
    ['order deployed:>2026-13-01', /^q: expected a date, .* \(at character 7\)$/],
    [`${'('.repeat(400)}"a" OR "b"`, /^q: expected at most 20 groups in each other \(at character 21\)$/],
    [Array.from({ length: 200 }, () => 'x').join(' OR '), /^q: expected at most 50 terms, this query has 200/],
    ['/[(?=]a(/', /^q: missing closing \) \(at character 8\)$/],
    ['/(a)\\1/', /^q: back-references are not supported.*\(at character 5\)$/],
    ['/a\\hb/', /^q: invalid escape sequence: \\h \(at character 3\)$/],
    ['/\\u12/', /^q: invalid escape sequence: \\u \(at character 2\)$/],
    ['/x\\u{110000}/', /^q: invalid escape sequence: \\u\{110000 \(at character 3\)$/],
    ['/[a-/', /^q: missing closing \] \(at character 2\)$/],
    ['/a)b/', /^q: unexpected \) \(at character 3\)$/],
    ['/*/', /^q: missing argument to repetition operator \(at character 2\)$/],
    ['/x{1001}/', /^q: invalid repeat count.*\(at character 3\)$/],
    ['/((x{100}){100}){100}/', /^q: invalid repeat count/],
    ['  path:x  /a(b/ owner:x', /^q: missing closing \) \(at character 13\)$/],
    ['/😀漢(/', /^q: missing closing \) \(at character 4\)$/],
    ['path:"😀 x"  /é😀*+/', /^q: invalid nested repetition operator: \*\+ \(at character 16\)$/],
    ['/(?<n>a)\\k<n>/', /^q: back-references are not supported.*\(at character 9\)$/],
    ['""', /^q: expected something to search for$/],
    ['//', /^q: expected something to search for$/],
    ['  path:x "" runtime:node', /^q: expected something to search for$/],
    [' \t ', /^q: expected something to search for$/],
    ['"a\0b"', /^q: expected no NUL/],
    ['/a\0b/', /^q: expected no NUL/],
    ['a\0b', /^q: expected no NUL/],
    ['path:\0 "a"', /^q: expected no NUL/],
    [`"${'x'.repeat(10_000)}"`, /^q: expected at most 1000 characters$/],
    [`/${'x'.repeat(10_000)}/`, /^q: expected at most 1000 characters$/],
    ['word '.repeat(2000), /^q: expected at most 1000 characters$/],
  ])('%s', async (q, message) => {
    const { status, message: said } = await search({ q });
    expect({ status, said }).toEqual({ status: 400, said: expect.stringMatching(message) });
  });
});

describe('parameters', () => {
  it.each([
    ['q=%22%ff%fe%22', /^q: expected UTF-8$/],
    ['q=%22%ED%A0%80%22', /^q: expected UTF-8$/],
    ['limit=5&q=%C0%80', /^q: expected UTF-8$/],
    ['q=x&owner=%ff', /^owner: expected/],
    ['', /^q: expected/],
    ['q=', /^q: expected something to search for$/],
    ['q=a&q=b', /^q: expected once$/],
    ['q=x&context=11', /^context: expected a whole number from 0 to 10$/],
    ['q=x&context=-1', /^context: /],
    ['q=x&context=1.5', /^context: /],
    ['q=x&context=', /^context: /],
    ['q=x&limit=-1', /^limit: expected a whole number from 0 to 100$/],
    ['q=x&limit=1e2', /^limit: /],
    ['q=x&case=YES', /^case: expected one of/],
    ['q=x&owner=all', /^owner: expected one of/],
    ['q=x&visibility=public', /^visibility: expected one of/],
    ['q=x&history=1', /^history: expected true or false$/],
    ['q=x&regex=true', /^regex: unknown parameter; expected one of q, /],
    ['q=x&owner=ALL&visibility=PRIVATE', /^visibility: expected PUBLIC, or none, when owner is ALL$/],
    ['q=%22x%22&owner=ALL&visibility=PRIVATE', /^visibility: expected PUBLIC/],
    ['q=/x/&owner=ALL&visibility=UNLISTED', /^visibility: expected PUBLIC/],
  ])('%s is rejected', async (query, message) => {
    const { status, message: said } = await ask(query);
    expect({ status, said }).toEqual({ status: 400, said: expect.stringMatching(message) });
  });

  it('a limit above the maximum is the maximum; the character U+FFFD can be found', async () => {
    expect(await ask('q=%22three%22&limit=101')).toMatchObject({ status: 200, count: 1, truncated: false });
    expect(await ask(`q=${encodeURIComponent('"\ufffd alone"')}`)).toMatchObject({ status: 200, count: 1 });
  });
});

describe('expressions that match nothing', () => {
  it.each([
    ['/x*/', 3],
    ['/()/', 3],
    ['/|/', 3],
    ['/^/', 3],
    ['/$/', 3],
    ['/^$/', 1],
    ['/\\b/', 2],
    ['/\\r$/', 1],
    ['/(?m)$^/', 1],
    ['/\\n/', 0],
    ['/[^\\x00-\\x{10ffff}]/', 0],
  ])('%s matches %i lines', async (pattern, count) => {
    const { status, functions } = await search({ q: `${pattern} path:odd`, context: '10' });
    expect(status).toBe(200);
    expect(functions[0]?.hit_count ?? 0).toBe(count);
  });
});

describe('a file of 200 KB on one line', () => {
  it.each(['"-longneedle-"', '"-LONGNEEDLE-"', '/-long\\w+-x/', '/-LONG[a-z]+-x/', '/[^0-9]{12}x+";$/', '/.*needle/'])(
    '%s is found at its line, and shown shortened',
    async (q) => {
      const { functions } = await search({ q, context: '10', case: 'no' });
      expect(functions).toMatchObject([{ hit_count: 1, hits: [{ path: 'long.js', line: 1, before: [], after: [] }] }]);
      expect(functions[0]?.hits[0]?.text.length).toBeLessThanOrEqual(1002);
    },
  );
});

describe('terms that are unusual, or exclude each other', () => {
  it.each([
    ['"three" NOT "three"', 0],
    ['"three" path:odd -path:odd', 0],
    ['("three" OR "four") -("three" OR "four")', 0],
    ['"t" AND "f"', 1],
    ['"t" NOT "f"', 0],
    ['/t/ AND /f/', 1],
    ['"שלום" AND "مرحبا"', 1],
    ['"עולם\\"; //"', 1],
    ['/ערך = .*بالعالم$/', 1],
    ['"مرحبا" NOT "ערך"', 0],
  ])('%s finds %i functions', async (q, count) => {
    expect(await search({ q })).toMatchObject({ status: 200, count, truncated: false });
  });
});

it.each([
  ['500 parentheses', `/${'('.repeat(490)}x${')'.repeat(490)}/`],
  ['alternatives in alternatives', `/${'(a|'.repeat(240)}b${')'.repeat(240)}/`],
  ['many stars', `/${'[a-z]*'.repeat(160)}$/`],
  ['stars in stars', '/((x+x+)+y?)+[^\\x00-\\x7f]/'],
  ['998 wide characters', `"${'漢'.repeat(998)}"`],
  ['a lone surrogate', '"\ud800"'],
  ['many filters', `${'path:a '.repeat(140)}"x"`],
  ['many words', 'a '.repeat(499)],
  ['one word', 'w'.repeat(1000)],
  ['signs of SQL in an owner', 'owner:%_\'";-- "x"'],
  ['a NUL written out', '/\\x00/'],
])('%s gets a response', async (_, q) => {
  expect((await search({ q, owner: 'ALL' })).status).toBe(200);
});
