/**
 * `[ip, ..., status = 4*, bytes > 1000]`: conditions on the words of an event, by position. A word in brackets or
 * double quotes is one word. The last field matches the rest of the line; `...` matches any number of words.
 */
import { type Part, readConditions } from './conditions.ts';
import type { FilterPattern, PatternReader } from './reader.ts';
import { type Budget, type Condition, newBudget, numberOf, readCondition } from './value.ts';

type Field = { check: Part<string> | undefined };
type Fields = { before: Field[]; after: Field[] | undefined };

const NAME = /[\p{L}\p{N}_.@#$-]+/uy;
const BARE = /(?:(?!&&|\|\|)[^\s,\]()"%=<>])+/y;
const WORDS = /\[([^\]]*)\]|"([^"]*)"|(\S+)/g;

/** Parses the whole pattern. The reader is at the opening bracket. */
export function readFieldsPattern(reader: PatternReader): FilterPattern {
  const { before, after } = readFields(reader);
  reader.skipSpace();
  if (!reader.done) reader.fail('expected nothing after the ]');
  if (before.length === 0 && after === undefined) return { test: () => true, marks: () => [], words: 'Every line' };
  const count = before.length + (after?.length ?? 0);
  const checks = [...before, ...(after ?? [])].flatMap(({ check }) => (check ? [check] : []));
  const where = checks
    .map(({ words, isJoined }) => (isJoined && checks.length > 1 ? `(${words})` : words))
    .join(' and ');
  return {
    test(message) {
      const words = wordsOf(message);
      if (words.length < count) return false;
      if (after === undefined && words.length > before.length) joinRest(words, before.length, message);
      const tail = after ? words.slice(words.length - after.length) : [];
      return (
        before.every((field, index) => meets(field, words[index])) &&
        (after ?? []).every((field, index) => meets(field, tail[index]))
      );
    },
    marks: () => [],
    words: `Lines of ${count === 1 ? 'one word' : `${count} words`} or more${where && ` where ${where}`}`,
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

const meets = (field: Field, word: Word | undefined) => word !== undefined && (field.check?.test(word.text) ?? true);

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

/** Parses a name with or without conditions. An empty field has no name. */
function readField(reader: PatternReader, budget: Budget): Field {
  if (reader.next === ',' || reader.next === ']') return { check: undefined };
  const at = reader.position;
  if (reader.next !== '(') {
    reader.match(NAME) || reader.fail('expected the name of a field');
    reader.skipSpace();
    if (reader.next === ',' || reader.next === ']') return { check: undefined };
    reader.position = at;
  }
  let own: string | undefined;
  const check = readConditions<string>(reader, () => {
    const nameAt = reader.position;
    const name = reader.match(NAME) || reader.fail('expected the name of the field');
    own ??= name.toLowerCase();
    if (name.toLowerCase() !== own) reader.fail('expected conditions on one field between two commas', nameAt);
    reader.skipSpace();
    const condition: Condition = readCondition(reader, budget, BARE);
    return { test: (text) => condition.test(text, numberOf(text)), words: `${name} ${condition.words}` };
  });
  return { check };
}
