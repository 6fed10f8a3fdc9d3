import type { PatternReader } from './reader.ts';

/** Deeper parentheses are a mistake, and would only cost stack. */
const MAX_DEPTH = 50;

/** A condition, and how it reads in words. */
export type Part<S> = { test: (subject: S) => boolean; words: string; isJoined?: true };

/**
 * Conditions joined by && and || with parentheses, && binding closer. `readOne` reads a single condition; it is asked
 * with the reader at its first character.
 */
export function readConditions<S>(reader: PatternReader, readOne: () => Part<S>, depth = 0): Part<S> {
  const either = [readAll(reader, readOne, depth)];
  while (takeOperator(reader, '||')) either.push(readAll(reader, readOne, depth));
  return join(either, ' or ', (subject) => either.some(({ test }) => test(subject)));
}

function readAll<S>(reader: PatternReader, readOne: () => Part<S>, depth: number): Part<S> {
  const all = [readPrimary(reader, readOne, depth)];
  while (takeOperator(reader, '&&')) all.push(readPrimary(reader, readOne, depth));
  return join(all, ' and ', (subject) => all.every(({ test }) => test(subject)));
}

function join<S>(parts: Part<S>[], word: string, test: (subject: S) => boolean): Part<S> {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return {
    test,
    words: parts.map(({ words, isJoined }) => (isJoined ? `(${words})` : words)).join(word),
    isJoined: true,
  };
}

function readPrimary<S>(reader: PatternReader, readOne: () => Part<S>, depth: number): Part<S> {
  reader.skipSpace();
  if (!reader.take('(')) return readOne();
  if (depth >= MAX_DEPTH) reader.fail(`expected at most ${MAX_DEPTH} nested parentheses`);
  const inner = readConditions(reader, readOne, depth + 1);
  reader.skipSpace();
  reader.expect(')');
  return inner;
}

function takeOperator(reader: PatternReader, operator: string): boolean {
  reader.skipSpace();
  return reader.take(operator);
}
