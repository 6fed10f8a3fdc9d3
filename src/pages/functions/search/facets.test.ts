import { describe, expect, test } from 'vitest';
import type { SearchReply } from '../../../api/entities.ts';
import { facetsOf, toggled } from './facets.ts';

const hit = (path: string) => ({ path, line: 1, text: 'x', before: [], after: [] });
const found = (runtime: string, account_name: string, paths: string[]) =>
  ({ runtime, account_name, hits: paths.map(hit), hit_count: paths.length }) as unknown as SearchReply['functions'][0];

const FOUND = [
  found('nodejs24.x', 'Northwind', ['src/a.ts', 'src/b.ts', 'index.js']),
  found('nodejs22.x', 'Acme', ['README']),
  found('nodejs24.x', 'Northwind', []),
];
const brief = (typed: string, owners = true) =>
  facetsOf(FOUND, typed, owners).map(({ label, options }) => [
    label,
    ...options.map(({ value, count, chosen }) => `${value} ${count}${chosen ? ' chosen' : ''}`),
  ]);

describe('facets of the results', () => {
  test('are sorted by count', () => {
    expect(brief('"x"')).toEqual([
      ['Runtime', 'nodejs24.x 2', 'nodejs22.x 1'],
      ['Owner', 'Northwind 2', 'Acme 1'],
      ['Folder', 'src/ 2'],
      ['Kind of file', '.ts 2', '.js 1'],
    ]);
  });

  test('are not selected by what is excluded, or by a part of several terms', () => {
    expect(brief('"x" -path:lib/').join()).not.toContain('chosen');
    expect(brief('"x" ("y" OR path:lib/)').join()).not.toContain('chosen');
    expect(brief('"x" "y" path:lib/').join()).toContain('lib/ 0 chosen');
  });

  test('name what the code defines and uses', () => {
    const facts = {
      symbol: [{ value: 'class', count: 2 }],
      imports: [{ value: 'stripe', count: 2 }],
      host: [],
      env: [{ value: 'API_KEY', count: 1 }],
    };
    const all = facetsOf(FOUND, 'env:api_key', false, facts).slice(-3);
    expect(all.map(({ label, options }) => [label, options])).toEqual([
      ['Definitions', [{ value: 'class:*', count: 2, chosen: false }]],
      ['Imports', [{ value: 'stripe', count: 2, chosen: false }]],
      ['Environment', [{ value: 'API_KEY', count: 1, chosen: true }]],
    ]);
    expect(toggled('"x"', 'imports', 'stripe')).toBe('imports:stripe "x"');
    expect(toggled('imports:stripe "x"', 'imports', 'express')).toBe('imports:stripe imports:express "x"');
    expect(toggled('env:API_KEY', 'env', 'API_KEY')).toBe('');
  });

  test('list owners only if there are several', () => {
    expect(brief('"x"', false).map(([label]) => label)).not.toContain('Owner');
  });

  test('keep selected values, with or without results', () => {
    expect(brief('"x" runtime:nodejs24.x path:lib/ path:.ts')).toEqual([
      ['Runtime', 'nodejs24.x 2 chosen', 'nodejs22.x 1'],
      ['Owner', 'Northwind 2', 'Acme 1'],
      ['Folder', 'lib/ 0 chosen', 'src/ 2'],
      ['Kind of file', '.ts 2 chosen', '.js 1'],
    ]);
  });
});

describe('a selected facet', () => {
  test.each([
    ['"x"', 'runtime', 'nodejs24.x', 'runtime:nodejs24.x "x"'],
    ['runtime:nodejs22.x "x"', 'runtime', 'nodejs24.x', 'runtime:nodejs24.x "x"'],
    ['"x" runtime:nodejs24.x', 'runtime', 'nodejs24.x', '"x"'],
    ['/a b/', 'owner', 'Northwind Supply', 'owner:"Northwind Supply" /a b/'],
    ['owner:"northwind supply" /a b/', 'owner', 'Northwind Supply', '/a b/'],
    ['path:src/ "x"', 'path', '.ts', 'path:src/ path:.ts "x"'],
    ['path:src/ path:.ts "x"', 'path', '.js', 'path:src/ path:.js "x"'],
    ['"a path:.ts"', 'path', '.ts', 'path:.ts "a path:.ts"'],
    ['"x"', 'owner', 'The "Best" Ltd', 'owner:The "x"'],
    ['owner:The "x"', 'owner', 'The "Best" Ltd', '"x"'],
    ['-path:src/ "x"', 'path', 'src/', 'path:src/ "x"'],
    ['"a" "b"', 'path', 'lib/', 'path:lib/ "a" "b"'],
    ['path:lib/ "a" "b"', 'path', 'lib/', '"a" "b"'],
    ['"a" AND path:lib/ AND "b"', 'path', 'lib/', '"a" AND "b"'],
    ['"a" OR "b"', 'runtime', 'nodejs24.x', 'runtime:nodejs24.x ("a" OR "b")'],
    ['"a" ("b" OR path:lib/)', 'path', 'lib/', 'path:lib/ "a" ("b" OR path:lib/)'],
  ] as const)('%s, %s %s: %s', (typed, name, value, written) => {
    expect(toggled(typed, name, value)).toBe(written);
  });
});
