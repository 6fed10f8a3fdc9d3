/** `ERROR -"health check" %5\d\d%`: what must, may and must not stand anywhere in an event. */
import { readRegex, type Test } from './filter-regex.ts';
import type { PatternReader } from './pattern-reader.ts';

const WORD = /[\p{L}\p{N}_]+/uy;

/**
 * All plain terms must be there, no `-` term may. `?` terms are alternatives; as in the log service they count only
 * when there are no plain terms.
 */
export function readTermsPattern(reader: PatternReader): Test {
  const needed: Test[] = [];
  const optional: Test[] = [];
  const excluded: Test[] = [];
  for (reader.skipSpace(); !reader.done; reader.skipSpace()) {
    const list = reader.take('?') ? optional : reader.take('-') ? excluded : needed;
    list.push(readTerm(reader));
    if (!reader.done && !/\s/.test(reader.next))
      reader.fail(`terms with characters such as ${reader.next} go in double quotes`);
  }
  const alternatives = needed.length > 0 ? [] : optional;
  return (message) =>
    needed.every((test) => test(message)) &&
    (alternatives.length === 0 || alternatives.some((test) => test(message))) &&
    !excluded.some((test) => test(message));
}

function readTerm(reader: PatternReader): Test {
  if (reader.next === '%') return readRegex(reader);
  if (reader.next === '"') {
    const phrase = reader.quoted();
    // The log service's way to say "everything".
    return phrase.trim() === '' ? () => true : (message) => message.includes(phrase);
  }
  const word = reader.match(WORD);
  if (!word) reader.fail('expected a word, a "phrase" or a %regex%; terms with other characters go in double quotes');
  return (message) => message.includes(word);
}
