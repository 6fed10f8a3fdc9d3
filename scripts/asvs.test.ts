/** docs/internals/asvs.md has every requirement once, and names only tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { countLines, REQUIREMENTS, readRows } from './asvs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/internals/asvs.md');
const rows = readRows(page);

it('has every requirement of levels 1 and 2 once, in order', () => {
  expect(REQUIREMENTS).toHaveLength(253);
  expect(rows.map(({ requirement }) => requirement)).toEqual(REQUIREMENTS);
});

it('names files that exist, and names of tests in them', () => {
  const wrong = rows.flatMap(({ requirement, files }) =>
    files.flatMap(({ path, names }) => {
      if (!existsSync(join(ROOT, path))) return [`${requirement}: ${path}`];
      const text = read(path);
      return names.filter((name) => !text.includes(name)).map((name) => `${requirement}: ${path} “${name}”`);
    }),
  );
  expect(wrong).toEqual([]);
});

it('names a file in every row that is met by a test or by design', () => {
  const without = rows.filter(({ kind, files }) => /^(test|by design|when set)$/.test(kind) && files.length === 0);
  expect(without.map(({ requirement }) => requirement)).toEqual([]);
});

it('has the right counts', () => {
  const lines = page.split('\n');
  expect(countLines(rows).filter((line) => !lines.includes(line))).toEqual([]);
});

it('reads a row', () => {
  const table = [
    '## V1 Encoding',
    '| 1.1.1 | asks | how | `server/a.test.ts` “a name” “another”; `server/b.test.ts` |',
    '| 1.1.2 | asks | how | **not met**: a reason |',
  ].join('\n');
  expect(readRows(table)).toEqual([
    {
      chapter: 'V1 Encoding',
      requirement: '1.1.1',
      kind: 'test',
      files: [
        { path: 'server/a.test.ts', names: ['a name', 'another'] },
        { path: 'server/b.test.ts', names: [] },
      ],
    },
    { chapter: 'V1 Encoding', requirement: '1.1.2', kind: 'not met', files: [] },
  ]);
});
