/**
 * Matches of more than one line: a literal with a newline, and an expression that has `\n` or lets `.` match newlines. A
 * hit is the line on which a match begins.
 */
import { RE2JS } from 're2js';
import { toRe2 } from '../../../contract/text/re2-syntax.ts';
import { hasTimeFor, type MayContinue } from './cpu-budget.ts';
import { endOfLine, finderOf, type Matcher, mayHaveOf, type TextQuery } from './finder.ts';
import { inAllCases } from './letter-cases.ts';
import { type Need, needOf, prefilterOf } from './needs.ts';
import { compileRegex } from './regex.ts';

/** The flag `s`, or a newline as an escape or as it is. */
const MULTI_LINE = /^(?:[^\\]|\\.)*?(?:\(\?[a-zA-Z]*s[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]|\\n|\\x0[aA]|\n)/s;

export const isMultiLine = ({ mode, query }: TextQuery): boolean =>
  mode === 'literal' ? query.includes('\n') : MULTI_LINE.test(query);

/** Compiles a query that `isMultiLine`; throws RegexError. */
export function multiLineMatcher({ mode, query, caseSensitive }: TextQuery): Matcher {
  const isLiteral = mode === 'literal';
  const need = byLine(isLiteral ? { text: query, fold: !caseSensitive } : needOf(toRe2(query).text, !caseSensitive));
  const mayMatchBytes = mayHaveOf(finderOf(prefilterOf(need)).inBytes);
  const next = isLiteral ? nextText(query, !caseSensitive) : nextMatch(query, !caseSensitive);
  const find = (text: string, from: number, mayContinue?: MayContinue) => next(text, from, mayContinue);
  return {
    need: inAllCases(need),
    test: (text) => find(text, 0) !== undefined,
    mayMatchBytes,
    mayMatch: () => true,
    eachLine(text, visit, mayContinue) {
      for (let from = 0; from <= text.length; ) {
        const match = find(text, from, mayContinue);
        if (!match) return;
        const start = text.lastIndexOf('\n', match.start - 1) + 1;
        const end = endOfLine(text, match.start);
        if (!visit(match.start === 0 ? 0 : start, end, Math.max(end, match.end))) return;
        from = Math.max(end + 1, match.end);
      }
    },
    indexIn: () => 0,
  };
}

type Match = { start: number; end: number };
type Next = (text: string, from: number, mayContinue?: MayContinue) => Match | undefined;

function nextText(query: string, fold: boolean): Next {
  const { find } = finderOf([{ text: query, fold }]);
  return (text, from) => {
    const start = find(text, from);
    return start < 0 ? undefined : { start, end: start + query.length };
  };
}

/** The anchors `^` and `$` are those of lines, as everywhere in code search. */
function nextMatch(query: string, fold: boolean): Next {
  const expression = compileRegex(query, (fold ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE);
  return (text, from, mayContinue) => {
    if (mayContinue && !hasTimeFor(expression, from === 0 ? text : text.slice(from), mayContinue)) {
      mayContinue();
      return undefined;
    }
    const matcher = expression.matcher(text);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}

/** The index has no newlines: a text is asked for line by line. */
function byLine(need: Need): Need {
  if (need === null) return null;
  if ('all' in need) return { all: need.all.map(byLine) };
  if ('any' in need) return { any: need.any.map(byLine) };
  const parts = need.text.split('\n').filter((text) => text !== '');
  const [only, more] = parts.map((text) => ({ text, fold: need.fold }));
  if (!only) return null;
  return more ? { all: parts.map((text) => ({ text, fold: need.fold })) } : only;
}
