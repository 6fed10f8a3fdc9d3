/** A pattern that can't be parsed. `position` counts characters from 0, the message from 1. */
export class PatternError extends Error {
  override name = 'PatternError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} (at character ${position + 1})`);
    this.position = position;
  }
}

/** A half-open range of characters. */
export type Span = readonly [from: number, to: number];
/** Compiles a regular expression that matches in linear time. Throws if it is invalid. */
export type RegexEngine = (source: string) => { test(text: string): boolean; spans(text: string): Span[] };

/** A pattern's text and the current position in it. */
export class PatternReader {
  readonly text: string;
  readonly engine: RegexEngine;
  position = 0;

  constructor(text: string, engine: RegexEngine) {
    this.text = text;
    this.engine = engine;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  get next(): string {
    return this.text[this.position] ?? '';
  }

  skipSpace(): void {
    while (/\s/.test(this.next)) this.position += 1;
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Consumes `text` if it is next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Consumes and returns the match of `expression` (sticky); empty without a match. */
  match(expression: RegExp): string {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail(`expected ${text}`);
  }

  /** Throws a PatternError that also says if the pattern ends at `position`. */
  fail(message: string, position = this.position): never {
    const found = this.text[position];
    throw new PatternError(found === undefined ? `${message}, but the pattern ends` : message, position);
  }

  /** Consumes a quoted string. Unescapes the quote and \\; other backslashes are kept for the caller. */
  quoted(quote = '"'): string {
    const start = this.position;
    this.expect(quote);
    let value = '';
    while (!this.done) {
      const char = this.next;
      this.position += 1;
      if (char === quote) return value;
      const escaped = char === '\\' && (this.next === quote || this.next === '\\');
      value += escaped ? this.next : char;
      if (escaped) this.position += 1;
    }
    throw new PatternError(`expected a closing ${quote}`, start);
  }
}

export type FilterPattern = {
  test(message: string): boolean;
  /** The parts of a message to highlight. Empty for patterns on fields. */
  marks(message: string): Span[];
  /** The pattern's description in words. */
  words: string;
};
