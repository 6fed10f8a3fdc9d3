/**
 * Finds plain texts in code. Where case isn't heeded and the texts are ASCII, it is looked for in lower case: that is a
 * copy and a plain look-up, many times faster than a regular expression that folds each character it passes.
 */

export type Text = { text: string; fold: boolean };
export type Finder = {
  /** Where one of the texts stands, from a place on; -1 when nowhere. */
  find(text: string, from: number): number;
  /** False when none of them can be in code with these bytes; answers without making a text of them, or true. */
  mayHave(bytes: Buffer): boolean;
};

/** More than these are looked for together, in the text. */
const MOST_BYTE_TEXTS = 3;

export function finderOf(texts: readonly Text[]): Finder {
  const [only, more] = texts;
  const isFolded = texts.some(({ fold }) => fold);
  const parts = isFolded || texts.length > MOST_BYTE_TEXTS ? [] : texts.map(({ text }) => inBytes(text));
  const mayHave = parts.length === 0 ? () => true : (code: Buffer) => parts.some((isIn) => isIn(code));
  if (only && !more && !only.fold) return { find: findOne(only.text), mayHave };
  const exactly = findWith(texts, isFolded ? 'giu' : 'g');
  const canLower = texts.every(({ text, fold }) => fold && isAscii(text));
  return { find: canLower ? findLowered(texts, exactly) : exactly, mayHave };
}

/** The characters of code, the most common first. */
const COMMON = ' etaornsilcpudmh*g.f/yb,=:;()vCSxRwTkIA\'"{}P_-EDOFL0B`MUN$G1|\tjq';
/** Above all of these. */
const RARE = 128;

/** Where the rarest character stands of a text. */
function rarestOf(text: string): number {
  let rarest = 0;
  let most = -1;
  for (let at = 0; at < text.length; at++) {
    const known = COMMON.indexOf(text.charAt(at));
    const rank = known < 0 ? RARE : known;
    if (rank > most) [rarest, most] = [at, rank];
  }
  return rarest;
}

/**
 * A look-up stops at each character that could be the first one. Code is full of blanks and of the letter e: so what is
 * looked up begins with the rarest character, and what stands before that is compared where it was found.
 */
function findOne(text: string): Finder['find'] {
  const lead = rarestOf(text);
  if (lead === 0) return (code, from) => code.indexOf(text, from);
  const before = text.slice(0, lead);
  const rest = text.slice(lead);
  return (code, from) => {
    for (let at = code.indexOf(rest, from + lead); at >= 0; at = code.indexOf(rest, at + 1))
      if (code.startsWith(before, at - lead)) return at - lead;
    return -1;
  };
}

/** The same in UTF-8. */
function inBytes(text: string): (code: Buffer) => boolean {
  const whole = Buffer.from(text);
  const lead = Buffer.byteLength(text.slice(0, rarestOf(text)));
  // Half of a pair of code units has no bytes of its own.
  if (lead === 0 || !isAscii(text)) return (code) => code.includes(whole);
  const rest = whole.subarray(lead);
  return (code) => {
    for (let at = code.indexOf(rest, lead); at >= 0; at = code.indexOf(rest, at + 1))
      if (code.compare(whole, 0, lead, at - lead, at) === 0) return true;
    return false;
  };
}

function findWith(texts: readonly Text[], flags: string): Finder['find'] {
  const escaped = texts.map(({ text }) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const expression = new RegExp(escaped, flags);
  return (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

function findLowered(texts: readonly Text[], otherwise: Finder['find']): Finder['find'] {
  const lowered = texts.map(({ text }) => ({ text: text.toLowerCase(), fold: false }));
  const [only, more] = lowered;
  const find = only && !more ? findOne(only.text) : findWith(lowered, 'g');
  let last = '';
  let lower: string | undefined = '';
  return (text, from) => {
    if (from === 0 || text !== last) {
      last = text;
      lower = lowerOf(text);
    }
    return lower === undefined ? otherwise(text, from) : find(lower, from);
  };
}

/** The text in lower case, each character where it was; undefined where that isn't what folding would make of it. */
export function lowerOf(text: string): string | undefined {
  // To whoever folds, the long s is an s; the capital I with a dot, alone of all, becomes two characters.
  if (text.includes('\u017f')) return undefined;
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : undefined;
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
