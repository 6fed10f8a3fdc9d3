import { describe, expect, it } from 'vitest';
import { isCaseSensitive, queryParts, readQuery, typedFrom, typedPosition } from './search-query.ts';

describe('readQuery', () => {
  it.each([
    ['order sync', 'ranked', 'order sync'],
    ['  padded  ', 'ranked', 'padded'],
    ['"a literal"', 'literal', 'a literal'],
    ['"say \\"hi\\" \\\\ \\n"', 'literal', 'say "hi" \\ \\n'],
    ['"a" + "b"', 'literal', 'a" + "b'],
    ['""', 'literal', ''],
    ['/a+b/', 'regex', 'a+b'],
    ['/api\\/v1/', 'regex', 'api/v1'],
    ['/a\\\\/', 'regex', 'a\\\\'],
    ['//', 'regex', ''],
    ['"open', 'ranked', '"open'],
    ['"open\\"', 'ranked', '"open\\"'],
    ['/api/orders', 'ranked', '/api/orders'],
    ['/open\\/', 'ranked', '/open\\/'],
    ['"', 'ranked', '"'],
    ['/', 'ranked', '/'],
  ])('%s is %s', (typed, mode, query) => expect(readQuery(typed)).toEqual({ mode, query }));
});

describe('filters', () => {
  it.each<[string, object]>([
    ['path:src/ "a path:b"', { mode: 'literal', query: 'a path:b', paths: ['src/'] }],
    ['/a b/ runtime:nodejs path:Lib.ts', { mode: 'regex', query: 'a b', runtime: 'nodejs', paths: ['lib.ts'] }],
    ['path:a "x" path:b', { mode: 'literal', query: 'x', paths: ['a', 'b'] }],
    ['order path:"my file" sync', { mode: 'ranked', query: 'order sync', paths: ['my file'] }],
    ['runtime:nodejs24.x', { mode: 'ranked', query: '', runtime: 'nodejs24.x' }],
    ['owner:"Northwind Supply" "x"', { mode: 'literal', query: 'x', owner: 'northwind supply' }],
    ['path: x', { mode: 'ranked', query: 'path: x' }],
    ['xpath:a b', { mode: 'ranked', query: 'xpath:a b' }],
    ['"open path:a', { mode: 'ranked', query: '"open', paths: ['a'] }],
    ['path:/api/orders', { mode: 'ranked', query: '', paths: ['/api/orders'] }],
    ['path:/a /b/', { mode: 'regex', query: 'b', paths: ['/a'] }],
    ['/x/ path:lib/', { mode: 'regex', query: 'x', paths: ['lib/'] }],
    ['runtime:node /x/y/ path:lib/ path:b/', { mode: 'regex', query: 'x/y', runtime: 'node', paths: ['lib/', 'b/'] }],
    ['/x\\/ path:lib/', { mode: 'regex', query: 'x/ path:lib' }],
    ['/x/ y path:lib/', { mode: 'regex', query: 'x/ y path:lib' }],
    ['/x/path:lib/', { mode: 'regex', query: 'x/path:lib' }],
    ['"x" owner:"Acme"', { mode: 'literal', query: 'x', owner: 'acme' }],
    ['"x" path:a"', { mode: 'literal', query: 'x" path:a' }],
    ['"x\\" owner:"', { mode: 'literal', query: 'x" owner:' }],
    ['"say "x" path:lib/', { mode: 'literal', query: 'say "x', paths: ['lib/'] }],
  ])('%s', (typed, expected) => expect(readQuery(typed)).toEqual(expected));
});

describe('queryParts and typedFrom', () => {
  it.each([
    ['runtime:nodejs24.x "a path:b"', 'runtime:nodejs24.x "a path:b"'],
    ['owner:"Northwind Supply" path:lib/ /a b/', 'path:lib/ owner:"northwind supply" /a b/'],
    ['order path:"my file" sync', 'path:"my file" order sync'],
    ['"a" path:x', 'path:x "a"'],
    ['path:.ts', 'path:.ts'],
    ['"open', '"open'],
  ])('%s is written %s, and reads the same', (typed, written) => {
    expect(typedFrom(queryParts(typed))).toBe(written);
    expect(readQuery(written)).toEqual(readQuery(typed));
  });
});

describe('typedPosition', () => {
  it.each([
    ['/a(b/', 3, 4],
    ['  /a(b/', 3, 6],
    ['path:x /a(b/ path:y', 3, 11],
    ['/a\\/\\/(b/', 4, 7],
    ['path:x /a(b/ path:y/', 3, 11],
    // a backslash, then a slash
    ['/\\\\/(/', 4, 5],
  ])('%s at %i', (typed, position, expected) => expect(typedPosition(typed, position)).toBe(expected));
});

describe('isCaseSensitive', () => {
  it.each([
    ['"fetch"', 'auto', false],
    ['"Fetch"', 'auto', true],
    ['"É"', 'auto', true],
    ['/\\Sx\\W\\p{Lu}(?P<Name>y)/', 'auto', false],
    ['/[A-Z]/', 'auto', true],
    ['/\\pLx/', 'auto', false],
    ['/(?U)a+(?U:b)/', 'auto', false],
    ['/\\x4a/', 'auto', true],
    ['/\\x6A\\u{6A}/', 'auto', false],
    ['/\\u004a/', 'auto', true],
    ['/\\x5cS/', 'auto', true],
    ['"Fetch"', 'no', false],
    ['"fetch"', 'yes', true],
  ] as const)('%s with case %s: %s', (typed, choice, expected) =>
    expect(isCaseSensitive(readQuery(typed), choice)).toBe(expected),
  );
});
