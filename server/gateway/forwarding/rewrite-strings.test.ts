import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteStrings } from './rewrite-strings.ts';

const upper = (value: string) => value.toUpperCase();
const rewrite = (text: string, ...paths: string[]) =>
  rewriteStrings(
    text,
    paths.map((path) => path.split('.')),
    upper,
  );

describe('strings at the paths', () => {
  it.each([
    ['{"next":"a","x":"b"}', 'next', '{"next":"A","x":"b"}'],
    [' { "links" : { "next" : "a" } } ', 'links.next', ' { "links" : { "next" : "A" } } '],
    ['{"items":[{"url":"a"},{"url":"b"}],"url":"c"}', 'items.*.url', '{"items":[{"url":"A"},{"url":"B"}],"url":"c"}'],
    ['[["a"],["b"]]', '1.0', '[["a"],["B"]]'],
    ['{"n\\u0065xt":"a"}', 'next', '{"n\\u0065xt":"A"}'],
    ['{"next":"\\/a"}', 'next', '{"next":"/A"}'],
    ['{"a":1.50,"next":"b","c":12345678901234567890}', 'next', '{"a":1.50,"next":"B","c":12345678901234567890}'],
    ['{"next":"a","next":"b"}', 'next', '{"next":"A","next":"B"}'],
    ['{"a":{"b":"x"},"c":{"b":"y"}}', '*.b', '{"a":{"b":"X"},"c":{"b":"Y"}}'],
  ])('%s at %s', (text, path, expected) => {
    expect(rewrite(text, path)).toBe(expected);
  });
});

describe('other texts stay as they are', () => {
  it.each([
    '',
    '{',
    '{"next":"a"',
    '{"next":"a"} x',
    '{"next":"a",}',
    "{'next':'a'}",
    '{"next":"\u0001"}',
    '{"next":01}',
    'next',
    '{"next":{"a":"b"}}',
    '{"next":["a"]}',
    '{"next":null}',
  ])('%j', (text) => {
    expect(rewrite(text, 'next')).toBe(text);
  });

  it('nested too deeply', () => {
    const text = `${'['.repeat(5000)}"a"${']'.repeat(5000)}`;
    expect(rewrite(text, '*')).toBe(text);
  });
});

it('agrees with JSON.parse about every value', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (text, isPretty) => {
      const written = isPretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const marked = rewriteStrings(written, [['*'], ['*', '*']], (value) => `${value}!`);
      const expected = JSON.parse(written, function (this: unknown, _key, value) {
        return value;
      });
      const mark = (value: unknown, depth: number): unknown => {
        if (typeof value === 'string') return depth === 1 || depth === 2 ? `${value}!` : value;
        if (Array.isArray(value)) return value.map((item) => mark(item, depth + 1));
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mark(item, depth + 1)]));
      };
      expect(JSON.parse(marked)).toEqual(mark(expected, 0));
    }),
  );
});
