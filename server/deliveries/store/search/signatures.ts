/**
 * Signatures of a block of events: which of its groups contain a gram. A gram is four consecutive bytes of a text in
 * lower case. Each hash of grams has a row with one bit per group. A group contains a text only if the rows of all
 * grams of the text have its bit. Groups without the text can have all these bits by chance; a group with the text
 * always has them.
 */
export const GROUPS = 64;
export const GROUP_EVENTS = 16;
export const BLOCK_EVENTS = GROUPS * GROUP_EVENTS;
export const ROW_BYTES = GROUPS / 8;

const GRAM_BYTES = 4;
/** The logarithm of the number of rows. */
const [FEWEST, MOST] = [8, 17];
/** The number of rows is halved while at most this part of the bits is set afterwards. */
const FULLEST = 0.08;
/** Maximum size of the signatures, as a part of the size of the texts. */
const MOST_OF_TEXT = 0.25;

/** The texts of one block, added in any order. */
export class BlockSignatures {
  readonly #rows = new Uint8Array(ROW_BYTES << MOST);
  #textBytes = 0;
  readonly #whole: number[] = [];

  add(group: number, text: string): void {
    const [byte, bit] = [group >> 3, 1 << (group & 7)];
    for (const form of [text, ...otherForms(text)]) {
      const bytes = Buffer.from(folded(form));
      this.#textBytes += bytes.length;
      let gram = 0;
      for (let i = 0; i < bytes.length; i++) {
        gram = (gram << 8) | (bytes[i] as number);
        if (i < GRAM_BYTES - 1) continue;
        const at = (hashOf(gram) >>> (32 - MOST)) * ROW_BYTES + byte;
        this.#rows[at] = (this.#rows[at] as number) | bit;
      }
    }
  }

  /** A group that always has to be read, because its texts are too large for the index. */
  addWhole(group: number): void {
    this.#whole.push(group);
  }

  /** `bits`: the logarithm of the number of rows. */
  finish(): { bits: number; rows: Buffer } {
    let bits = MOST;
    let length = this.#rows.length;
    const words = new Uint32Array(this.#rows.buffer);
    const isTooLarge = () => length > Math.max(this.#textBytes * MOST_OF_TEXT, ROW_BYTES << FEWEST);
    while (bits > FEWEST && (isTooLarge() || shareOfOnes(words, length >> 2) * 2 <= FULLEST)) {
      // The row of a hash is its first `bits` bits, so pairs of rows become one.
      for (let to = 0; to < length >> 3; to += 2) {
        words[to] = (words[to * 2] as number) | (words[to * 2 + 2] as number);
        words[to + 1] = (words[to * 2 + 1] as number) | (words[to * 2 + 3] as number);
      }
      length >>= 1;
      bits -= 1;
    }
    const rows = Buffer.from(this.#rows.subarray(0, length));
    for (const group of this.#whole)
      for (let at = group >> 3; at < length; at += ROW_BYTES) rows[at] = (rows[at] as number) | (1 << (group & 7));
    return { bits, rows };
  }
}

function shareOfOnes(words: Uint32Array, length: number): number {
  let ones = 0;
  for (let i = 0; i < length; i++) {
    let word = words[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    ones += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return ones / (length * 32);
}

const hashOf = (gram: number) => Math.imul(gram ^ (gram >>> 15), 0x9e3779b1) >>> 0;

/**
 * The text in lower case. Texts that PostgreSQL compares as equal without case are equal here, too, in every locale:
 * characters whose lower case depends on the locale or on the characters beside them have one form.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.replaceAll('ς', 'σ').replaceAll('ı', 'i').replaceAll('\u0307', '');
}

/** The distinct hashes of the grams of a text; empty if the text is too short to have one. */
export function gramsOf(text: string): number[] {
  const bytes = Buffer.from(folded(text));
  const hashes = new Set<number>();
  for (let at = 0; at + GRAM_BYTES <= bytes.length; at++) hashes.add(hashOf(bytes.readInt32BE(at)));
  return [...hashes];
}

/** An escape in a string: two surrogates of one character, another code, or a single character. */
const ESCAPE = /\\(?:u(d[89ab]..)\\u(d[c-f]..)|u([0-9a-f]{4})|(.))/gi;
const EXPONENT = /(?<=[:,[\s])(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})(?=[,\]}\s])/g;
/** Longest number that is found by its digits. */
export const NUMBER_MAX_CHARS = 60;

/** The same JSON as JSON.stringify writes its strings, and its numbers with an exponent as decimals. */
function otherForms(json: string): string[] {
  const forms: string[] = [];
  if (json.includes('\\')) {
    const plain = json.replace(ESCAPE, (whole, high?: string, low?: string, code?: string, char?: string) => {
      if (char !== undefined) return char === '/' ? '/' : whole;
      const codes = (code === undefined ? [high, low] : [code]).map((each) => Number.parseInt(each ?? '', 16));
      return JSON.stringify(String.fromCharCode(...codes)).slice(1, -1);
    });
    if (plain !== json) forms.push(plain);
  }
  if (/\d[eE][+-]?\d/.test(json))
    for (const [, sign = '', whole = '', fraction = '', exponent] of json.matchAll(EXPONENT)) {
      const decimal = decimalOf(whole, fraction, Number(exponent));
      if (decimal.length <= NUMBER_MAX_CHARS) forms.push(sign + decimal);
    }
  return forms;
}

function decimalOf(whole: string, fraction: string, exponent: number): string {
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0').padEnd(Math.max(1, point), '0');
  const at = Math.max(1, point);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(at).replace(/0+$/, '');
  return rest === '' ? integer : `${integer}.${rest}`;
}
