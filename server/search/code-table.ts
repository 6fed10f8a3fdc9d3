/** Every code that somebody has or had a moment ago, by its number and by its address. */

/** `at`: the number of the segment that has it, or why none has. */
export type Code = {
  readonly number: number;
  readonly sha256: string;
  uses: number;
  /** How often in a row it could not be read. */
  misses: number;
  at: 'WAITING' | 'TAKEN' | 'FRESH' | 'MISSING' | number;
};

export class CodeTable {
  readonly #bySha = new Map<string, Code>();
  readonly #byNumber = new Map<number, Code>();
  #count = 0;

  /** One that nothing had before, also not a segment. */
  readonly newNumber = (): number => {
    this.#count += 1;
    return this.#count;
  };

  add(sha256: string, at: Code['at']): Code {
    const code = { number: this.newNumber(), sha256, uses: 0, misses: 0, at };
    this.#bySha.set(sha256, code);
    this.#byNumber.set(code.number, code);
    return code;
  }

  named(sha256: string): Code | undefined {
    return this.#bySha.get(sha256);
  }

  numbered(number: number): Code | undefined {
    return this.#byNumber.get(number);
  }

  drop(code: Code): void {
    this.#bySha.delete(code.sha256);
    this.#byNumber.delete(code.number);
  }

  /** The numbers of those in use that could not be read, also while they are being read again. */
  missing(): number[] {
    return [...this.#bySha.values()].filter(({ uses, misses }) => uses > 0 && misses > 0).map(({ number }) => number);
  }

  all(): Iterable<Code> {
    return this.#bySha.values();
  }

  get size(): number {
    return this.#bySha.size;
  }
}
