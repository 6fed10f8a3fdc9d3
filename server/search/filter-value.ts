/** The right-hand side of a condition, `= "Upd*"` or `>= 60`, and whether a value of a log event meets it. */
import { readRegex } from './filter-regex.ts';
import type { PatternReader } from './pattern-reader.ts';

/** Holds a condition against a scalar of the event: its text, and what it is as a number (NaN when it is none). */
export type Condition = (text: string, number: number) => boolean;

export type Budget = { regexes: number; wildcards: number };
export const newBudget = (): Budget => ({ regexes: 2, wildcards: 3 });

const OPERATOR = /!=|<=|>=|=|<|>/y;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Reads an operator and its value. `bare` says what may stand without quotes. */
export function readCondition(reader: PatternReader, budget: Budget, bare: RegExp): Condition {
  const at = reader.position;
  const operator = reader.match(OPERATOR);
  if (!operator) reader.fail('expected an operator: = != < <= > >=');
  reader.skipSpace();
  if (operator !== '=' && operator !== '!=') return readOrder(reader, operator, bare);
  const equal = readEqual(reader, budget, bare, at);
  return operator === '=' ? equal : (text, number) => !equal(text, number);
}

function readOrder(reader: PatternReader, operator: string, bare: RegExp): Condition {
  const at = reader.position;
  const text = reader.match(bare);
  if (!NUMBER.test(text)) reader.fail(`expected a number after ${operator}`, at);
  const bound = Number(text);
  switch (operator) {
    case '<':
      return (_, number) => number < bound;
    case '<=':
      return (_, number) => number <= bound;
    case '>':
      return (_, number) => number > bound;
    default:
      return (_, number) => number >= bound;
  }
}

function readEqual(reader: PatternReader, budget: Budget, bare: RegExp, operatorAt: number): Condition {
  const at = reader.position;
  if (reader.next === '%') {
    budget.regexes -= 1;
    if (budget.regexes < 0) reader.fail('expected at most two regular expressions in a pattern');
    return readRegex(reader);
  }
  if (reader.next === '"') return glob(reader.quoted());
  const text = reader.match(bare);
  if (text === '')
    reader.fail('expected a value: a word, a number, "a text" or %a regex%', reader.done ? operatorAt : at);
  if (!NUMBER.test(text)) return glob(text);
  const wanted = Number(text);
  return (given, number) => number === wanted || given === text;
}

/** A text in which * stands for any run of characters. Linear: each piece is looked for once, after the one before. */
function glob(pattern: string): Condition {
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

/** A text as a number, when it is one through and through. */
export const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text) : Number.NaN);
