import { describe, expect, it } from 'vitest';
import { isCaseSensitive, readQuery } from './search-query.ts';

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

describe('isCaseSensitive', () => {
  it.each([
    ['"fetch"', 'auto', false],
    ['"Fetch"', 'auto', true],
    ['"É"', 'auto', true],
    ['/\\Sx\\W\\p{Lu}(?P<Name>y)/', 'auto', false],
    ['/[A-Z]/', 'auto', true],
    ['"Fetch"', 'no', false],
    ['"fetch"', 'yes', true],
  ] as const)('%s with case %s: %s', (typed, choice, expected) =>
    expect(isCaseSensitive(readQuery(typed), choice)).toBe(expected),
  );
});
