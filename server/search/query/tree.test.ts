/**
 * Boolean queries against a reference: the query is evaluated over each file's lines with regular expressions of
 * JavaScript, without an index and without this service's matchers.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QueryTree, readTree } from '../../../contract/search/query-tree.ts';
import { packCode, textBytes } from '../index/packed-code.ts';
import type { Entry } from '../table/entry.ts';
import { type AskedTerm, reference } from '../test/boolean-reference.ts';
import { entryOf } from '../test/entries-support.ts';
import { createScanner } from './scanner.ts';

type Files = Record<string, string>;

function treeOf(typed: string): QueryTree {
  const tree = readTree(typed);
  if (!tree) throw new Error(`${typed} is no boolean query`);
  return tree;
}

/** The lines found, as path:line; undefined when the function does not match. */
function find(typed: string, files: Files, more: Partial<Entry> = {}): string[] | undefined {
  const query = {
    mode: 'boolean' as const,
    tree: treeOf(typed),
    typed,
    case: 'auto' as const,
    account_id: 'me',
    owners: [],
    facts: [],
  };
  const scanner = createScanner(query, []);
  const entry = { ...entryOf(1), ...more };
  const candidate = { entry, versions: [entry.version], code: entry.code, files: Object.entries(files) };
  const found = scanner.scan(candidate, { context: 0, mayContinue: () => true });
  if (found) {
    expect(scanner.mayMatchBytes(textBytes(packCode(files))), typed).toBe(true);
    expect(scanner.mayMatchEntry(entry), typed).toBe(true);
  }
  return found?.hits.map(({ path, line }) => `${path}:${line}`);
}

/** The lines that contain a term, by JavaScript's regular expressions. */
const linesIn =
  (files: Files) =>
  ({ kind, text }: AskedTerm): string[] => {
    const source = kind === 'regex' ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const expression = new RegExp(source, /[A-Z]/.test(text) ? '' : 'i');
    return Object.entries(files).flatMap(([path, code]) =>
      code
        .split('\n')
        .slice(0, -1)
        .flatMap((line, at) => (expression.test(line) ? [`${path}:${at + 1}`] : [])),
    );
  };

const WORDS = ['alpha', 'beta', 'Gamma', 'delta', 'al', 'eta', 'a b', 'x'];
const PATHS = ['lib/one.ts', 'lib/two.py', 'test/one.ts', 'main.js'];
const line = fc.array(fc.constantFrom(...WORDS, ' ', '('), { maxLength: 4 }).map((words) => words.join(' '));
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.map((each) => `${each}\n`).join(''));
const files = fc
  .uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 4 })
  .chain((paths) => fc.tuple(...paths.map((path) => text.map((each) => [path, each] as const))))
  .map((entries): Files => Object.fromEntries(entries));
const { query } = fc.letrec<{ query: string; term: string }>((tie) => ({
  term: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...WORDS).map((word) => `"${word}"`) },
    { weight: 2, arbitrary: fc.constantFrom('/alp.a/', '/^x$/', '/[ab]eta/', '/Gamma|delta/', '/ b/') },
    { weight: 2, arbitrary: fc.constantFrom('path:lib', '-path:test', 'path:one', 'path:.ts') },
  ),
  query: fc.oneof(
    { maxDepth: 4 },
    tie('term'),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) (${b})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `${a} OR ${b}`),
    fc.tuple(tie('query'), tie('term')).map(([a, b]) => `${a} AND ${b}`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) NOT (${b})`),
    fc.tuple(tie('term'), tie('term')).map(([a, b]) => `${a} -"${b.replace(/["/]/g, '')}"`),
  ),
}));

it('finds the lines that the reference finds, for thousands of queries', () => {
  let matched = 0;
  fc.assert(
    fc.property(query, files, (typed, code) => {
      let tree: QueryTree | undefined;
      try {
        tree = readTree(typed);
      } catch {
        // Nothing but exclusions, or nested too deep.
        return;
      }
      if (!tree) return;
      const expected = reference(tree, Object.keys(code), linesIn(code));
      if (expected) matched += 1;
      expect(find(typed, code), `${typed}\n${JSON.stringify(code)}`).toEqual(expected);
    }),
    { numRuns: 4000, seed: 18 },
  );
  expect(matched).toBeGreaterThan(400);
});

describe('terms', () => {
  const code = {
    'lib/client.ts': 'import axios from "axios";\nawait axios.get("https://api.stripe.com/v1");\n',
    'main.py': 'import os\nimport subprocess\n',
  };

  it.each<[string, string[] | undefined]>([
    ['"import os" "subprocess"', ['main.py:1', 'main.py:2']],
    ['"api.stripe.com" "import os"', ['lib/client.ts:2', 'main.py:1']],
    ['"api.stripe.com" NOT "import os"', undefined],
    ['"api.stripe.com" -"gateway"', ['lib/client.ts:2']],
    ['axios OR nowhere', ['lib/client.ts:1', 'lib/client.ts:2']],
    ['(nowhere OR /sub.*ss/) lang:python', ['main.py:2']],
    ['(nowhere OR /sub.*ss/) lang:ts', undefined],
    ['"import" -path:lib/ AND os', ['main.py:1', 'main.py:2']],
    ['"import" AND path:*.py', ['main.py:1', 'main.py:2']],
    ['"import" AND path:/^lib/', ['lib/client.ts:1']],
    ['"import" AND path:client.*', ['lib/client.ts:1']],
    ['"import" -"import"', undefined],
    ['lang:python NOT "requests"', []],
    ['"os\nimport" AND subprocess', ['main.py:1', 'main.py:2']],
    ['/os.*sub/ OR /(?s)os.*sub/', ['main.py:1']],
    ['/os\\nimport/ AND subprocess', ['main.py:1', 'main.py:2']],
  ])('%s', (typed, expected) => expect(find(typed, code)).toEqual(expected));
});

describe('filters of functions', () => {
  const code = { 'index.ts': 'needle\n' };
  const entry = {
    name: 'Order sync',
    runtime: 'python3.13',
    version: 7,
    runs: 12,
    deployed_ms: Date.parse('2026-11-05'),
  };

  it('runs: is false for functions of others', () => {
    expect(find('needle runs:>10 AND needle', code, { ...entry, account_id: 'other' })).toBeUndefined();
    expect(find('needle NOT runs:>10', code, { ...entry, account_id: 'other' })).toBeDefined();
  });

  it.each([
    ['runtime:python', true],
    ['runtime:nodejs', false],
    ['name:SYNC', true],
    ['name:"order sync"', true],
    ['name:other', false],
    ['version:7', true],
    ['version:>7', false],
    ['version:5..8', true],
    ['runs:>10', true],
    ['runs:>12', false],
    ['runs:<=12', true],
    ['deployed:>2026-11-04', true],
    ['deployed:2026-11-05', true],
    ['deployed:<2026-11-05', false],
    ['deployed:2026-10-01..2026-11-30', true],
    ['visibility:private', false],
    ['visibility:public', true],
  ])('%s: %s', (filter, expected) => {
    expect(find(`needle AND ${filter}`, code, entry) !== undefined).toBe(expected);
    expect(find(`needle NOT ${filter}`, code, entry) !== undefined).toBe(!expected);
  });
});
