import type { PatternReader } from './reader.ts';

/** Bounds the recursion. */
const MAX_DEPTH = 50;

/** A condition, and its description in words. */
export type Part<S> = { test: (subject: S) => boolean; words: string; isJoined?: true };

/**
 * Parses conditions joined by && and || with parentheses; && binds closer. `readOne` parses a single condition, with
 * the reader at its first character.
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
