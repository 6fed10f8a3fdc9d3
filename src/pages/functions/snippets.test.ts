import { describe, expect, test } from 'vitest';
import { filesIn, snippetsOf } from './snippets.ts';

const hit = (path: string, line: number, context: number) => ({
  path,
  line,
  text: `${path} ${line}`,
  before: Array.from({ length: context }, (_, index) => `${path} ${line - context + index}`),
  after: Array.from({ length: context }, (_, index) => `${path} ${line + 1 + index}`),
});

describe('hits as snippets', () => {
  test('overlapping and touching hits become one, without a line twice', () => {
    const [only, ...others] = snippetsOf([hit('a.ts', 4, 1), hit('a.ts', 5, 1), hit('a.ts', 8, 1)]);
    expect(others).toEqual([]);
    expect(only?.firstLine).toBe(3);
    expect(only?.lines).toEqual([3, 4, 5, 6, 7, 8, 9].map((line) => `a.ts ${line}`));
    expect([...(only?.hitLines ?? [])]).toEqual([4, 5, 8]);
  });

  test('a gap or another file begins a new one', () => {
    const snippets = snippetsOf([hit('a.ts', 2, 0), hit('a.ts', 4, 0), hit('b.ts', 5, 0)]);
    expect(snippets.map(({ path, firstLine }) => [path, firstLine])).toEqual([
      ['a.ts', 2],
      ['a.ts', 4],
      ['b.ts', 5],
    ]);
    expect(filesIn([hit('a.ts', 2, 0), hit('a.ts', 4, 0), hit('b.ts', 5, 0)])).toBe(2);
  });
});
