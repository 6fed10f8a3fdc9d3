import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const read = (left: string, right: string) =>
  diffLines(left, right).map((row) => (row.same ? ` ${row.left}` : `${row.left ?? '∅'}|${row.right ?? '∅'}`));

describe('two texts side by side', () => {
  it('puts a changed line beside the old one', () => {
    expect(read('{\n"a": 1,\n"b": 2\n}', '{\n"a": 1,\n"b": 3\n}')).toEqual([' {', ' "a": 1,', '"b": 2|"b": 3', ' }']);
  });

  it('aligns equal lines around added and removed ones', () => {
    expect(read('a\nb\nc\nd', 'b\nx\nc\ne')).toEqual(['a|∅', ' b', '∅|x', ' c', 'd|e']);
  });

  it('leaves a side empty if it has no line', () => {
    expect(read('', 'a\nb')).toEqual(['∅|a', '∅|b']);
    expect(read('', '')).toEqual([]);
  });

  it('does not compare every pair of lines of two long texts', () => {
    const long = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`).join('\n');
    const rows = diffLines(`same\n${long('a')}`, `same\n${long('b')}`);
    expect(rows).toHaveLength(3_001);
    expect(rows.filter(({ same }) => same)).toHaveLength(1);
  });
});
