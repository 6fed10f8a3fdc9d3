import { describe, expect, test } from 'vitest';
import { lineChanges } from './line-changes.ts';

describe('changed lines', () => {
  test.each([
    ['nothing', 'a\nb\n', 'a\nb\n', 0, 0],
    ['a new file', undefined, 'a\nb\n', 2, 0],
    ['a removed file', 'a\nb', undefined, 0, 2],
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['an inserted line', 'a\nc\n', 'a\nb\nc\n', 1, 0],
    ['the last line break alone', 'a\nb', 'a\nb\n', 0, 0],
    ['moved lines', 'a\nb\nc\nd\n', 'c\nd\na\nb\n', 2, 2],
    ['nothing in common', 'a\nb\n', 'x\ny\nz\n', 3, 2],
  ])('%s', (_, before, after, added, removed) => {
    expect(lineChanges(before, after)).toEqual({ added, removed });
  });

  test('two long texts without a common line are counted quickly', () => {
    const text = (sign: string) => Array.from({ length: 6_000 }, (__, index) => `${sign}${index}`).join('\n');
    expect(lineChanges(text('a'), text('b'))).toEqual({ added: 6_000, removed: 6_000 });
  });
});
