import { PatternError, type PatternReader, type RegexEngine } from './reader.ts';

/** A compiled expression; `written` is its source with the % signs. */
export type Regex = ReturnType<RegexEngine> & { written: string };

const PLAIN = /[A-Za-z0-9 _#=@/;,:-]/;
const OPERATORS = '^$?[]{}|\\*+.';
const CLASSES = /[dDsSwWtnr]/;
const REPEAT = /\{(\d*)(,?)(\d*)\}/y;

/**
 * Reads `%…%`: a regular expression in the small syntax of CloudWatch Logs (letters, digits, `_#=@/;,:-`, the operators
 * `^ $ ? [] {} | \ * + .`, the classes \d \s \w with their negations, and \xhh; no groups). It runs on the
 * reader's engine, in time linear to the text. Source: "Filter pattern syntax", CloudWatch Logs user guide.
 */
export function readRegex(reader: PatternReader): Regex {
  const start = reader.position;
  reader.expect('%');
  let source = '';
  while (reader.next !== '%') {
    if (reader.done) throw new PatternError('expected a closing %', start);
    source += readPiece(reader);
  }
  reader.expect('%');
  if (source === '') throw new PatternError('expected an expression between the % signs', start);
  const written = reader.text.slice(start, reader.position);
  return { ...compile(reader.engine, source, start), written };
}

function readPiece(reader: PatternReader): string {
  const { next } = reader;
  if (next === '\\') return readEscape(reader);
  if (next === '{') {
    const [, from = '', comma = '', to = ''] = REPEAT.exec(reader.text.slice(reader.position)) ?? [];
    REPEAT.lastIndex = 0;
    if (from + to === '')
      reader.fail('expected a repetition such as {3} or {1,5} here, or \\{ for the character itself');
    reader.position += from.length + comma.length + to.length + 2;
    return `{${from || '0'}${comma}${to}}`;
  }
  if (!PLAIN.test(next) && !OPERATORS.includes(next)) {
    reader.fail(
      next === '(' || next === ')'
        ? 'groups are not supported in a %regex%; write \\x28 or \\x29 for a parenthesis'
        : `the character ${next} is not supported in a %regex%; write it as \\xhh, or use a "phrase"`,
    );
  }
  reader.position += 1;
  return next;
}

function readEscape(reader: PatternReader): string {
  reader.position += 1;
  const hex = reader.match(/x[0-9A-Fa-f]{2}/y);
  if (hex) return `\\${hex}`;
  const { next } = reader;
  const isSymbol = next !== '' && !/[A-Za-z0-9]/.test(next) && (PLAIN.test(next) || OPERATORS.includes(next));
  if (!isSymbol && !CLASSES.test(next))
    reader.fail('expected \\d, \\s, \\w, \\xhh or an escaped operator', reader.position - 1);
  reader.position += 1;
  return next === ' ' ? next : `\\${next}`;
}

function compile(engine: RegexEngine, source: string, start: number): ReturnType<RegexEngine> {
  try {
    return engine(source);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it does not compile';
    throw new PatternError(`invalid regular expression: ${why}`, start);
  }
}
