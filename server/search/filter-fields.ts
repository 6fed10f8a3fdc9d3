/**
 * `[ip, ..., status = 4*, bytes > 1000]`: conditions on the words of an event, by position. A word in brackets or
 * double quotes is one word. The last field takes the rest of the line; `...` takes any number of words.
 */
import { readConditions } from './filter-conditions.ts';
import type { Test } from './filter-regex.ts';
import { type Budget, type Condition, newBudget, numberOf, readCondition } from './filter-value.ts';
import type { PatternReader } from './pattern-reader.ts';

type Field = { test: Test | undefined };
type Fields = { before: Field[]; after: Field[] | undefined };

const NAME = /[\p{L}\p{N}_.@#$-]+/uy;
const BARE = /(?:(?!&&|\|\|)[^\s,\]()"%=<>])+/y;
const WORDS = /\[([^\]]*)\]|"([^"]*)"|(\S+)/g;

/** Reads the whole pattern, the reader standing at its opening bracket. */
export function readFieldsPattern(reader: PatternReader): Test {
  const { before, after } = readFields(reader);
  reader.skipSpace();
  if (!reader.done) reader.fail('expected nothing after the ]');
  if (before.length === 0 && after === undefined) return () => true;
  return (message) => {
    const words = wordsOf(message);
    if (words.length < before.length + (after?.length ?? 0)) return false;
    if (after === undefined && words.length > before.length) joinRest(words, before.length, message);
    const tail = after ? words.slice(words.length - after.length) : [];
    return (
      before.every((field, index) => meets(field, words[index])) &&
      (after ?? []).every((field, index) => meets(field, tail[index]))
    );
  };
}

type Word = { text: string; start: number };

function wordsOf(message: string): Word[] {
  return [...message.matchAll(WORDS)].map((match) => ({
    text: match[1] ?? match[2] ?? match[3] ?? '',
    start: match.index,
  }));
}

function joinRest(words: Word[], count: number, message: string): void {
  const last = words[count - 1];
  if (last) last.text = message.slice(last.start).trimEnd();
  words.length = count;
}

const meets = (field: Field, word: Word | undefined) => word !== undefined && (field.test?.(word.text) ?? true);

function readFields(reader: PatternReader): Fields {
  reader.expect('[');
  const budget = newBudget();
  const before: Field[] = [];
  let after: Field[] | undefined;
  reader.skipSpace();
  if (reader.take(']')) return { before, after };
  for (;;) {
    reader.skipSpace();
    const at = reader.position;
    if (reader.take('...')) {
      if (after) reader.fail('expected ... only once', at);
      after = [];
    } else (after ?? before).push(readField(reader, budget));
    reader.skipSpace();
    if (reader.take(']')) return { before, after };
    if (!reader.take(',')) reader.fail('expected a comma, && or ||, or ] at the end');
  }
}

/** A name, with or without conditions; nothing at all is a field without a name. */
function readField(reader: PatternReader, budget: Budget): Field {
  if (reader.next === ',' || reader.next === ']') return { test: undefined };
  const at = reader.position;
  if (reader.next !== '(') {
    reader.match(NAME) || reader.fail('expected the name of a field');
    reader.skipSpace();
    if (reader.next === ',' || reader.next === ']') return { test: undefined };
    reader.position = at;
  }
  let own: string | undefined;
  const test = readConditions<string>(reader, () => {
    const nameAt = reader.position;
    const name = reader.match(NAME) || reader.fail('expected the name of the field');
    own ??= name.toLowerCase();
    if (name.toLowerCase() !== own) reader.fail('expected conditions on one field between two commas', nameAt);
    reader.skipSpace();
    const condition: Condition = readCondition(reader, budget, BARE);
    return (text) => condition(text, numberOf(text));
  });
  return { test };
}
