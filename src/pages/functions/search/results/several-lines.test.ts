import { expect, test } from 'vitest';
import { literalMarker, noMarks } from '../../../../lib/search-marks.ts';
import { snippetsOf } from '../../code/snippets.ts';
import { marksOfSeveral } from './several-lines.ts';

const LINES = ['before', 'one two', 'three', 'four five', 'after'];
const hitOf = (context: number) => ({
  path: 'a.ts',
  line: 2,
  end_line: 4,
  text: LINES[1] ?? '',
  before: LINES.slice(1 - Math.min(1, context), 1),
  after: LINES.slice(2, 2 + context),
});
const marksOf = (context: number, marker = literalMarker('two\nthree\nfour', true)) => {
  const [snippet] = snippetsOf([hitOf(context)], 1);
  return snippet && marksOfSeveral(snippet, marker);
};

test('a match of several lines is marked in each of them', () => {
  expect(marksOf(3)).toEqual([undefined, [[4, 7]], [[0, 5]], [[0, 4]], undefined]);
  expect(marksOf(2)).toEqual([undefined, [[4, 7]], [[0, 5]], [[0, 4]]]);
});

test('lines are marked as a whole while others of the match are not shown', () => {
  expect(marksOf(1)).toEqual([undefined, [[0, 7]], [[0, 5]]]);
  expect(marksOf(0)).toEqual([[[0, 7]]]);
});

test('nothing is marked before the marks are known', () => {
  expect(marksOf(3, noMarks)).toEqual([undefined, [], [], [], undefined]);
  expect(marksOf(0, noMarks)).toEqual([[]]);
});
