import { expect, it } from 'vitest';
import { noMarks } from '../../../../lib/search-marks.ts';
import { countHits, hitsOfUnchanged, stepFrom } from './file-hits.ts';
import { findTextOf } from './find-text.ts';

const HITS = [
  { file: 'index.ts', line: 2 },
  { file: 'index.ts', line: 9 },
  { file: 'lib/a.ts', line: 1 },
];

it('steps to the next and the previous hit, also in another file, and around the ends', () => {
  expect(stepFrom(HITS, { file: 'index.ts', line: 2 }, 1)).toEqual(HITS[1]);
  expect(stepFrom(HITS, { file: 'index.ts', line: 5 }, 1)).toEqual(HITS[1]);
  expect(stepFrom(HITS, { file: 'index.ts', line: 9 }, 1)).toEqual(HITS[2]);
  expect(stepFrom(HITS, { file: 'lib/a.ts', line: 1 }, 1)).toEqual(HITS[0]);
  expect(stepFrom(HITS, { file: 'lib/a.ts', line: 1 }, -1)).toEqual(HITS[1]);
  expect(stepFrom(HITS, { file: 'index.ts', line: 2 }, -1)).toEqual(HITS[2]);
  expect(stepFrom(HITS, {}, 1)).toEqual(HITS[0]);
  expect(stepFrom([], {}, 1)).toBeUndefined();
});

it('counts hits by file', () => {
  expect(Object.fromEntries(countHits(HITS))).toEqual({ 'index.ts': 2, 'lib/a.ts': 1 });
});

it('leaves out hits of files with unsaved changes', () => {
  const all = { query: '"a"', hits: HITS, count: 3, marker: noMarks, find: undefined, failure: undefined };
  const saved = { 'index.ts': 'a', 'lib/a.ts': 'a' };
  expect(hitsOfUnchanged(all, saved, saved)).toBe(all);
  expect(hitsOfUnchanged(all, saved, { ...saved, 'index.ts': 'b' })).toMatchObject({ hits: [HITS[2]], count: 1 });
});

it('passes a literal and an expression to the find widget, unless only RE2 can read it', () => {
  expect(findTextOf({ mode: 'literal', query: 'a.b' }, true)).toEqual({
    searchString: 'a.b',
    isRegex: false,
    isCaseSensitive: true,
  });
  expect(findTextOf({ mode: 'regex', query: '(?i)A+' }, true)).toEqual({
    searchString: 'A+',
    isRegex: true,
    isCaseSensitive: false,
  });
  expect(findTextOf({ mode: 'regex', query: '\\pL+' }, true)).toBeUndefined();
});
