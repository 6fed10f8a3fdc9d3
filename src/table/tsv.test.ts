import { expect, it } from 'vitest';
import { tsvOf } from './tsv.ts';

it('has a header, a line for each row, and no formula', () => {
  const columns = [
    { accessorKey: 'name', header: 'Name' },
    { accessorKey: 'count', header: 'Count' },
    { accessorKey: 'tags', header: 'Tags' },
    { id: 'actions', header: () => null },
  ];
  const rows = [
    { name: 'one\ttwo\nthree', count: -3, tags: ['a'] },
    { name: '=HYPERLINK("x")', count: null, tags: {} },
  ];
  expect(tsvOf(columns, rows)).toBe(`Name\tCount\tTags\none two three\t-3\t["a"]\n'=HYPERLINK("x")\t\t{}`);
});
