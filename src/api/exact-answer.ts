/**
 * Answers and typed JSON with numbers that no double holds, kept as they stood. Loaded only when an answer seems to have
 * one: see client.ts. A browser that can't write such numbers rounds them, as JSON.parse does.
 */
import { parseExactly } from '../../contract/exact-json.ts';

/** Written by JSON.stringify as it stood. Not a plain object: query caches and walks of payloads take it as one value. */
export class LongNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.#text);
  }

  toString(): string {
    return this.#text;
  }
}

export const parseExact: (text: string) => unknown =
  'rawJSON' in JSON ? (text) => parseExactly(text, (source) => new LongNumber(source)) : (text) => JSON.parse(text);
