/** The right-hand side of a condition, `= "Upd*"` or `>= 60`, and whether a value of a log event meets it. */

import type { PatternReader } from './reader.ts';
import { readRegex } from './regex.ts';

/** Tests a scalar of the event, passed as text and as a number (NaN if it is not one). */
export type Condition = { test: (text: string, number: number) => boolean; words: string };
type Compare = Condition['test'];

export type Budget = { regexes: number; wildcards: number };
export const newBudget = (): Budget => ({ regexes: 2, wildcards: 3 });

const OPERATOR = /!=|<=|>=|=|<|>/y;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Parses an operator and its value. `bare` matches a value without quotes. */
export function readCondition(reader: PatternReader, budget: Budget, bare: RegExp): Condition {
  const at = reader.position;
  const operator = reader.match(OPERATOR);
  if (!operator) reader.fail('expected an operator: = != < <= > >=');
  reader.skipSpace();
  if (operator !== '=' && operator !== '!=') return readOrder(reader, operator, bare);
  const { test, verb, words } = readEqual(reader, budget, bare, at);
  if (operator === '=') return { test, words: `${verb[0]} ${words}` };
  return { test: (text, number) => !test(text, number), words: `${verb[1]} ${words}` };
}

function readOrder(reader: PatternReader, operator: string, bare: RegExp): Condition {
  const at = reader.position;
  const text = reader.match(bare);
  if (!NUMBER.test(text)) reader.fail(`expected a number after ${operator}`, at);
  const bound = Number(text);
  switch (operator) {
    case '<':
      return { test: (_, number) => number < bound, words: `is less than ${text}` };
    case '<=':
      return { test: (_, number) => number <= bound, words: `is at most ${text}` };
    case '>':
      return { test: (_, number) => number > bound, words: `is more than ${text}` };
    default:
      return { test: (_, number) => number >= bound, words: `is at least ${text}` };
  }
}

/** A test for equality, with its verb and the negation of it. */
type Equal = { test: Compare; verb: readonly [is: string, isNot: string]; words: string };
const IS = ['is', 'is not'] as const;
const LOOKS_LIKE = ['looks like', 'doesn’t look like'] as const;
const MATCHES = ['matches', 'doesn’t match'] as const;

function readEqual(reader: PatternReader, budget: Budget, bare: RegExp, operatorAt: number): Equal {
  const at = reader.position;
  if (reader.next === '%') {
    budget.regexes -= 1;
    if (budget.regexes < 0) reader.fail('expected at most two regular expressions in a pattern');
    const regex = readRegex(reader);
    return { test: (text) => regex.test(text), verb: MATCHES, words: regex.written };
  }
  if (reader.next === '"') return like(reader.quoted());
  const text = reader.match(bare);
  if (text === '')
    reader.fail('expected a value: a word, a number, "a string" or %a regex%', reader.done ? operatorAt : at);
  if (!NUMBER.test(text)) return like(text);
  const wanted = Number(text);
  return { test: (given, number) => number === wanted || given === text, verb: IS, words: text };
}

const like = (text: string): Equal => ({
  test: glob(text),
  verb: text.includes('*') ? LOOKS_LIKE : IS,
  words: `“${text}”`,
});

/** Compiles a text in which * matches any run of characters. Linear: each piece is searched once, after the last. */
function glob(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, from);
      if (found < 0) return false;
      from = found + piece.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}

/** Converts a text to a number; NaN unless the whole text is one. */
export const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text) : Number.NaN);
