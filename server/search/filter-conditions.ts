import type { PatternReader } from './pattern-reader.ts';

/** Deeper parentheses are a mistake, and would only cost stack. */
const MAX_DEPTH = 50;

type Node<S> = (subject: S) => boolean;

/**
 * Conditions joined by && and || with parentheses, && binding closer. `readOne` reads a single condition; it is asked
 * with the reader at its first character.
 */
export function readConditions<S>(reader: PatternReader, readOne: () => Node<S>, depth = 0): Node<S> {
  const either = [readAll(reader, readOne, depth)];
  while (takeOperator(reader, '||')) either.push(readAll(reader, readOne, depth));
  return either.length === 1 && either[0] ? either[0] : (subject) => either.some((each) => each(subject));
}

function readAll<S>(reader: PatternReader, readOne: () => Node<S>, depth: number): Node<S> {
  const all = [readPrimary(reader, readOne, depth)];
  while (takeOperator(reader, '&&')) all.push(readPrimary(reader, readOne, depth));
  return all.length === 1 && all[0] ? all[0] : (subject) => all.every((each) => each(subject));
}

function readPrimary<S>(reader: PatternReader, readOne: () => Node<S>, depth: number): Node<S> {
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
