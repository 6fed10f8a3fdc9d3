/** A pattern that can't be read. `position` counts characters from 0; the message says it from 1, as people do. */
export class PatternError extends Error {
  override name = 'PatternError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} (at character ${position + 1})`);
    this.position = position;
  }
}

/** From a character up to another. */
export type Span = readonly [from: number, to: number];
/** Runs a regular expression in time linear to the text; throws what is wrong with one. */
export type RegexEngine = (source: string) => { test(text: string): boolean; spans(text: string): Span[] };

/** A pattern's text and how far it has been read. */
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

  /** Passes over `text` when it is next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Passes over what `expression` (sticky) finds here; empty when it finds nothing. */
  match(expression: RegExp): string {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail(`expected ${text}`);
  }

  /** Never returns. What is next is named, for the reader of the message. */
  fail(message: string, position = this.position): never {
    const found = this.text[position];
    throw new PatternError(found === undefined ? `${message}, but the pattern ends` : message, position);
  }

  /** A text in double quotes, in which \" and \\ stand for themselves; other backslashes are kept for the caller. */
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
    throw new PatternError(`this ${quote} is never closed`, start);
  }
}

export type FilterPattern = {
  test(message: string): boolean;
  /** What of a message is worth marking. Empty where the pattern speaks of fields rather than of text. */
  marks(message: string): Span[];
  /** What the pattern takes, in words. */
  words: string;
};
