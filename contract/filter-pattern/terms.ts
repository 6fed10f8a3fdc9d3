/** `ERROR -"health check" %5\d\d%`: terms that must, may and must not occur in an event. */
import type { FilterPattern, PatternReader, Span } from './reader.ts';
import { readRegex } from './regex.ts';

const WORD = /[\p{L}\p{N}_]+/uy;
type Term = { test(text: string): boolean; spans(text: string): Span[]; words: string };

/**
 * All plain terms must occur, and no `-` term. `?` terms are alternatives; as in CloudWatch Logs, they are ignored if
 * the pattern has plain terms.
 */
export function readTermsPattern(reader: PatternReader): FilterPattern {
  const needed: Term[] = [];
  const optional: Term[] = [];
  const excluded: Term[] = [];
  for (reader.skipSpace(); !reader.done; reader.skipSpace()) {
    const list = reader.take('?') ? optional : reader.take('-') ? excluded : needed;
    list.push(readTerm(reader));
    if (!reader.done && !/\s/.test(reader.next))
      reader.fail(`terms with characters such as ${reader.next} need double quotes`);
  }
  const alternatives = needed.length > 0 ? [] : optional;
  return {
    test: (message) =>
      needed.every((term) => term.test(message)) &&
      (alternatives.length === 0 || alternatives.some((term) => term.test(message))) &&
      !excluded.some((term) => term.test(message)),
    marks: (message) => merged([...needed, ...alternatives].flatMap((term) => term.spans(message))),
    words: wordsOf(needed, alternatives, excluded, optional.length > alternatives.length),
  };
}

function wordsOf(needed: Term[], alternatives: Term[], excluded: Term[], ignored: boolean): string {
  const list = (terms: Term[], word: string) => terms.map(({ words }) => words).join(` ${word} `);
  const parts = [
    needed.length > 0 ? `with ${list(needed, 'and')}` : '',
    alternatives.length > 0 ? `with ${list(alternatives, 'or')}` : '',
    excluded.length > 0 ? `without ${list(excluded, 'or')}` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return 'Every line';
  return `Lines ${parts.join(', ')}${ignored ? '; terms with ? are ignored beside plain ones' : ''}`;
}

function readTerm(reader: PatternReader): Term {
  if (reader.next === '%') {
    const regex = readRegex(reader);
    return { ...regex, words: `a match of ${regex.written}` };
  }
  if (reader.next === '"') {
    const phrase = reader.quoted();
    // In CloudWatch Logs an empty phrase matches everything.
    if (phrase.trim() === '') return { test: () => true, spans: () => [], words: 'anything' };
    return textTerm(phrase);
  }
  const word = reader.match(WORD);
  if (!word) reader.fail('expected a word, a "phrase" or a %regex%; terms with other characters need double quotes');
  return textTerm(word);
}

const textTerm = (text: string): Term => ({
  test: (message) => message.includes(text),
  spans(message) {
    const spans: Span[] = [];
    for (
      let at = message.indexOf(text);
      at >= 0 && spans.length < MARKS_MAX;
      at = message.indexOf(text, at + text.length)
    )
      spans.push([at, at + text.length]);
    return spans;
  },
  words: `“${text}”`,
});

/** Marks per line. */
export const MARKS_MAX = 100;

/** Sorts the spans and merges those that overlap. */
function merged(spans: Span[]): Span[] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result.slice(0, MARKS_MAX);
}
