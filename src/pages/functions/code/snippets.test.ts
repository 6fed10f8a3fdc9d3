import { describe, expect, test } from 'vitest';
import { filesIn, snippetsOf, versionWords } from './snippets.ts';

const hit = (path: string, line: number, context: number) => ({
  path,
  line,
  text: `${path} ${line}`,
  before: Array.from({ length: context }, (_, index) => `${path} ${line - context + index}`),
  after: Array.from({ length: context }, (_, index) => `${path} ${line + 1 + index}`),
});

describe('hits as snippets', () => {
  test('overlapping and touching hits are merged, without repeated lines', () => {
    const [only, ...others] = snippetsOf([hit('a.ts', 4, 1), hit('a.ts', 5, 1), hit('a.ts', 8, 1)], 1);
    expect(others).toEqual([]);
    expect(only?.firstLine).toBe(3);
    expect(only?.lines).toEqual([3, 4, 5, 6, 7, 8, 9].map((line) => `a.ts ${line}`));
    expect([...(only?.hitLines.keys() ?? [])]).toEqual([4, 5, 8]);
  });

  test('a gap or another file starts a new snippet', () => {
    const snippets = snippetsOf([hit('a.ts', 2, 0), hit('a.ts', 4, 0), hit('b.ts', 5, 0)], 1);
    expect(snippets.map(({ path, firstLine }) => [path, firstLine])).toEqual([
      ['a.ts', 2],
      ['a.ts', 4],
      ['b.ts', 5],
    ]);
    expect(filesIn([hit('a.ts', 2, 0), hit('a.ts', 4, 0), hit('b.ts', 5, 0)])).toBe(2);
  });

  test('many hits that touch are separated, and no line appears twice', () => {
    const many = Array.from({ length: 60 }, (_, at) => hit('a.ts', at + 2, 1));
    const snippets = snippetsOf(many, 1);
    expect(snippets.length).toBeGreaterThan(2);
    const lines = snippets.flatMap(({ firstLine, lines: shown }) => shown.map((_, at) => firstLine + at));
    expect(lines).toEqual(Array.from({ length: 62 }, (_, at) => at + 1));
    expect(snippets.flatMap(({ hitLines }) => [...hitLines.keys()])).toHaveLength(60);
  });

  test('lines of two versions are never merged', () => {
    const old = { ...hit('a.ts', 5, 1), first_version: 1, last_version: 2 };
    const now = { ...hit('a.ts', 4, 1), first_version: 3, last_version: 3 };
    const snippets = snippetsOf([now, old], 3);
    expect(snippets.map(({ version, hitLines }) => [version, [...hitLines.values()][0]?.words])).toEqual([
      [3, 'since v3'],
      [2, 'v1 to v2'],
    ]);
    expect(versionWords({ first_version: 2, last_version: 2 }, 3)).toBe('only in v2');
    expect(versionWords({}, 3)).toBeUndefined();
  });
});
