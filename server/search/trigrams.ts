/**
 * The index knows a text by its trigrams: three bytes in a row within one line, each folded to seven bits. Letters lose
 * their case, bytes beyond ASCII share the places that are free then. Folding may make different texts equal and never
 * the other way round, so what the index leaves out can't match, and what it lets through is looked at.
 */

/** There are no more trigrams than this. */
export const TRIGRAMS = 1 << 21;
export const NEWLINE = 10;

/** The long s and the Kelvin sign are letters of ASCII to whoever doesn't heed case: C5 BF and E2 84 AA. */
const LONG_S = [0xc5, 0xbf] as const;
const KELVIN = [0xe2, 0x84, 0xaa] as const;

export const FOLD = makeFold();

function makeFold(): Uint8Array {
  const free: number[] = [];
  for (let code = 0; code < 128; code++) {
    const isUpper = code >= 65 && code <= 90;
    if (isUpper || (code < 32 && code !== 9 && code !== NEWLINE && code !== 13)) free.push(code);
  }
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte >= 128) return free[byte % free.length] ?? 0;
    return byte >= 65 && byte <= 90 ? byte + 32 : byte;
  });
}

/** What these two are to whoever doesn't heed case, above it by 7 bits how many bytes they have beyond the first; 0 for all else. */
export function shortOf(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LONG_S[0] && bytes[at + 1] === LONG_S[1]) return (1 << 7) | 115;
  if (bytes[at] === KELVIN[0] && bytes[at + 1] === KELVIN[1] && bytes[at + 2] === KELVIN[2]) return (2 << 7) | 107;
  return 0;
}

/** Writes the folded codes of `bytes` to `out`, which is as long at least, and answers how many there are. */
export function foldInto(bytes: Uint8Array, out: Uint8Array): number {
  const { length } = bytes;
  let n = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    const short = byte > 127 ? shortOf(bytes, i) : 0;
    if (short > 0) {
      out[n++] = short & 127;
      i += short >>> 7;
    } else out[n++] = FOLD[byte] as number;
  }
  return n;
}

/** Calls `each` with every trigram of the first `length` folded codes, again for every time it stands there. */
export function eachTrigram(codes: Uint8Array, length: number, each: (trigram: number) => void): void {
  let window = 0;
  let run = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i] as number;
    if (code === NEWLINE) run = 0;
    else {
      window = ((window << 7) | code) & (TRIGRAMS - 1);
      if (++run >= 3) each(window);
    }
  }
}

/** A character that has another case, beyond ASCII: its bytes say nothing to whoever doesn't heed case. */
const CASED = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
export const isCasedBeyondAscii = (char: string): boolean =>
  char > '\u007f' && char !== '\u017f' && char !== '\u212a' && CASED.test(char);

/** Trigrams that a line has for sure when it has the text, each once; none when the text is too short to tell. */
export function trigramsOf(text: string, fold: boolean): number[] {
  const found = new Set<number>();
  // A newline stands between what is known.
  const known = fold ? [...text].map((char) => (isCasedBeyondAscii(char) ? '\n' : char)).join('') : text;
  const bytes = Buffer.from(known);
  const codes = new Uint8Array(bytes.length);
  eachTrigram(codes, foldInto(bytes, codes), (trigram) => found.add(trigram));
  return [...found];
}
