import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { isCasedBeyondAscii } from '../index/grams.ts';
import { casesOf } from './letter-cases.ts';
import { compileMatcher } from './matcher.ts';

const CASED = Array.from({ length: 0x1ffff - 0x80 }, (_, at) => String.fromCodePoint(at + 0x80)).filter(
  isCasedBeyondAscii,
);

it('knows every letter that RE2 and V8 take as equal', () => {
  const all = [...CASED, ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].join('');
  const missed: string[] = [];
  for (const char of CASED) {
    const cases = new Set(casesOf(char));
    const matcher = RE2JS.compile(char, RE2JS.CASE_INSENSITIVE).matcher(all);
    while (matcher.find()) if (!cases.has(matcher.group() ?? '')) missed.push(`${char} ${matcher.group()}`);
    for (const [found] of all.matchAll(new RegExp(char, 'giu'))) if (!cases.has(found)) missed.push(`${char} ${found}`);
  }
  expect(missed).toEqual([]);
});

const TEXTS: Record<string, string> = {
  german: 'Die GRÖẞE und die größe der Straße; ÜBER UNS, für uns, FÜR alle',
  russian: 'Функция вернула ОШИБКУ: указанный ключ не найден. УКАЗАННЫЙ файл',
  greek: 'Το ΠΑΡΆΔΕΙΓΜΑ και το παράδειγμα του Οδυσσεύς ΟΔΥΣΣΕΎΣ',
  turkish: 'İSTANBUL istanbul ISPARTA ısparta İzmir',
  armenian: 'Հայաստան ՀԱՅԱՍՏԱՆ հայաստան',
  plain: 'Kelvin \u212aelvin \u017fharp Sharp Å Å å',
};
const WORDS = ['größe', 'GRÖSSE', 'grö', 'ö', 'über', 'für', 'функция', 'указанный', 'ошибку', 'φ'];
const MORE = ['παράδειγμα', 'οδυσσεύς', 'istanbul', 'ıspar', 'i̇stan', 'հայ', 'kelvin', 'sharp', 'å', 'straße|weg'];

/** The lines of all texts that a query matches, through the index and without it. */
describe('the index leaves out no match of', () => {
  it.each([...WORDS, ...MORE])('%s', (word) => {
    const lines = Object.values(TEXTS);
    for (const mode of ['literal', 'regex'] as const) {
      const query = mode === 'literal' ? (word.split('|')[0] ?? '') : word;
      const matcher = compileMatcher({ mode, query, caseSensitive: false });
      const expected = lines.map((line) => RE2JS.compile(query, RE2JS.CASE_INSENSITIVE).matcher(line).find());
      expect(lines.map((line) => matcher.test(line) && matcher.mayMatch(`${line}\n`))).toEqual(expected);
      expect(lines.filter((line, at) => expected[at] && !mayHave(matcher.need, line))).toEqual([]);
    }
  });
});

/** Whether a line has what the index is asked for, judged as the index does: ASCII without case, the rest as it is. */
function mayHave(need: ReturnType<typeof compileMatcher>['need'], line: string): boolean {
  if (need === null) return true;
  if ('all' in need) return need.all.every((each) => mayHave(each, line));
  if ('any' in need) return need.any.some((each) => mayHave(each, line));
  const folded = (text: string) =>
    text
      .replace(/[A-Z]/g, (char) => char.toLowerCase())
      .replace(/\u017f/g, 's')
      .replace(/\u212a/g, 'k');
  return need.fold || folded(line).includes(folded(need.text));
}
