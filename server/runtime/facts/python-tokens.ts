/**
 * The tokens of a Python file, by the lexical rules of Python 3.12: names, operators, texts, and the indentation of each
 * logical line. It reads any text: what is no token is skipped, a text without an end ends with its line.
 */
export type Token = {
  kind: 'name' | 'number' | 'operator' | 'text';
  text: string;
  line: number;
  /** The content of a text without interpolation and without escapes; undefined for others. */
  value?: string;
};
/** A logical line: its tokens, its indentation in columns, and its last line in the file. */
export type LogicalLine = { indent: number; line: number; endLine: number; tokens: Token[] };

const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*/uy;
const NUMBER = /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d[\d_]*)?)[jJ]?/y;
const TEXT = /(?:[rRbBuU]|[bB][rR]|[rR][bB]|[fF]|[fF][rR]|[rR][fF])?("""|'''|"|')/y;
const OPERATOR = /\*\*=?|\/\/=?|>>=?|<<=?|->|:=|\.\.\.|[-+*/%@&|^<>=!]=|[-+*/%@&|^<>=~.,:;()[\]{}!]/y;
const DEFINITION = /[ \t]*(?:async[ \t]+def|def|class)[ \t]+\w/y;
const BLANK = /[ \t\f]+/y;
const TAB = 8;

export function linesOf(text: string): LogicalLine[] {
  const lexer = new Lexer(text);
  return lexer.read();
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #depth = 0;
  #tokens: Token[] = [];

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '');
  }

  read(): LogicalLine[] {
    const lines: LogicalLine[] = [];
    while (this.#at < this.#text.length) {
      const indent = this.#indent();
      const line = this.#line;
      this.#tokens = [];
      this.#depth = 0;
      const endLine = this.#logicalLine();
      if (this.#tokens.length > 0) lines.push({ indent, line, endLine, tokens: this.#tokens });
    }
    return lines;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    return expression.exec(this.#text);
  }

  #indent(): number {
    let columns = 0;
    for (const blank of this.#match(BLANK)?.[0] ?? '') {
      if (blank === '\t') columns = (Math.floor(columns / TAB) + 1) * TAB;
      else columns = blank === '\f' ? 0 : columns + 1;
      this.#at += 1;
    }
    return columns;
  }

  /** Reads up to the newline that ends the line; returns the number of its last line. */
  #logicalLine(): number {
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === '\n') {
        const line = this.#line;
        this.#newline();
        // No bracket contains a definition, so one before it was never closed.
        if (this.#depth === 0 || this.#match(DEFINITION)) return line;
      } else this.#next(char);
    }
    return this.#line;
  }

  #newline(): void {
    this.#at += 1;
    this.#line += 1;
  }

  #next(char: string): void {
    if (char === ' ' || char === '\t' || char === '\f' || char === '\r') this.#at += 1;
    else if (char === '#') {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
    } else if (char === '\\') {
      this.#at += 1;
      if (this.#text.charAt(this.#at) === '\r') this.#at += 1;
      if (this.#text.charAt(this.#at) === '\n') this.#newline();
    } else this.#token();
  }

  #token(): void {
    const text = this.#match(TEXT);
    if (text) {
      const [whole, quote = ''] = text;
      this.#string(whole.slice(0, -quote.length), quote);
      return;
    }
    const kinds = [
      ['name', NAME],
      ['number', NUMBER],
      ['operator', OPERATOR],
    ] as const;
    for (const [kind, expression] of kinds) {
      const found = this.#match(expression)?.[0];
      if (!found) continue;
      this.#tokens.push({ kind, text: found, line: this.#line });
      this.#at += found.length;
      if ('([{'.includes(found)) this.#depth += 1;
      else if (')]}'.includes(found)) this.#depth = Math.max(0, this.#depth - 1);
      return;
    }
    this.#at += 1;
  }

  /** A text. Expressions in an f-string are tokens too. */
  #string(prefix: string, quote: string): void {
    const line = this.#line;
    this.#at += prefix.length + quote.length;
    const start = this.#at;
    const isFormatted = /f/i.test(prefix);
    const inner = this.#tokens.length;
    let isPlain = !/b/i.test(prefix);
    while (this.#at < this.#text.length && !this.#text.startsWith(quote, this.#at)) {
      const char = this.#text.charAt(this.#at);
      if (char === '\n' && quote.length === 1) break;
      if (char === '\\') {
        isPlain = false;
        this.#at += 1;
        if (this.#text.charAt(this.#at) === '\n') this.#newline();
        else this.#at += 1;
      } else if (isFormatted && char === '{' && this.#text.charAt(this.#at + 1) === '{') this.#at += 2;
      else if (isFormatted && char === '{') {
        isPlain = false;
        this.#interpolation(quote);
      } else if (char === '\n') this.#newline();
      else this.#at += 1;
    }
    const content = this.#text.slice(start, this.#at);
    if (this.#text.startsWith(quote, this.#at)) this.#at += quote.length;
    const value = isPlain ? content : undefined;
    // Before the tokens in it, which begin with it.
    this.#tokens.splice(inner, 0, {
      kind: 'text',
      text: isFormatted ? (content.split('{', 1)[0] ?? '') : content,
      line,
      ...(value === undefined ? {} : { value }),
    });
  }

  /** From the brace to its end. The format after a colon may have braces again. */
  #interpolation(quote: string): void {
    this.#at += 1;
    const outer = this.#depth;
    this.#depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (this.#depth === 0 && char === '}') break;
      if (this.#depth === 0 && char === ':') {
        this.#format(quote);
        break;
      }
      if (char === '\n') {
        if (quote.length === 1 && this.#depth === 0 && this.#text.indexOf('}', this.#at) < 0) break;
        this.#newline();
      } else this.#next(char);
    }
    this.#depth = outer;
    if (this.#text.charAt(this.#at) === '}') this.#at += 1;
  }

  #format(quote: string): void {
    while (this.#at < this.#text.length && !this.#text.startsWith(quote, this.#at)) {
      const char = this.#text.charAt(this.#at);
      if (char === '}') return;
      if (char === '{') this.#interpolation(quote);
      else if (char === '\n') this.#newline();
      else this.#at += 1;
    }
  }
}
