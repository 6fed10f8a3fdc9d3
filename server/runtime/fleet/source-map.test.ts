import { expect, test } from 'vitest';
import { buildVersion } from '../build/build.ts';
import { readSourceMap } from './source-map.ts';
import { createMapper } from './stack.ts';

const placesOf = (text: string, file: string) =>
  text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/mark_\d+/g)].map(({ 0: mark, index: column }) => ({
      mark,
      place: { file, line: index + 1, column: column + 1 },
    })),
  );

test('every position in a build of two long files is mapped to its source', async () => {
  const lines = (from: number) =>
    Array.from(
      { length: 3000 },
      (_, index) => `  console.log("é", mark_${from + index}, () => { mark_${from + index}(); });`,
    );
  const files = {
    'index.ts': `import { more } from './more.ts';\nexport default () => {\n${lines(0).join('\n')}\n  more();\n};`,
    'more.ts': `export const more = (): void => {\n\n${lines(5000).join('\n')}\n};`,
  };
  const { code, map } = await buildVersion({ files });
  const { find } = readSourceMap(map);
  const written = Object.entries(files).flatMap(([file, text]) => placesOf(text, file));
  const built = placesOf(code, 'built');
  expect(built).toHaveLength(12_000);
  const expected = new Map<string, unknown[]>();
  for (const { mark, place } of written) expected.set(mark, [...(expected.get(mark) ?? []), place]);
  const found = new Map<string, unknown[]>();
  for (const { mark, place } of built) found.set(mark, [...(found.get(mark) ?? []), find(place.line, place.column)]);
  expect(found).toEqual(new Map([...found.keys()].map((mark) => [mark, expected.get(mark)])));
  expect(find(10_000_000, 1)).toBeUndefined();
});

test('a map of millions of positions is read without storing them', () => {
  const map = JSON.stringify({
    version: 3,
    sources: ['index.ts'],
    names: [],
    mappings: `AAAA${',CAAC,IAAI'.repeat(1_500_000)}`,
  });
  const before = process.memoryUsage().heapUsed;
  const shown = createMapper(map)('Error\n    at blob:null/00000000-0000-0000-0000-000000000000:1:4000');
  expect(shown).toBe('Error\n    at index.ts:1:3997');
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
});

test('a message with millions of line breaks does not block the service', () => {
  const text = `Error\n    at a${'\n'.repeat(4_000_000)}`;
  expect(createMapper('{}')(text)).toBe(text);
});
