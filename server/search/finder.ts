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
  const bytes = isFolded || texts.length > MOST_BYTE_TEXTS ? [] : texts.map(({ text }) => Buffer.from(text));
  const mayHave = bytes.length === 0 ? () => true : (code: Buffer) => bytes.some((each) => code.includes(each));
  if (only && !more && !only.fold) return { find: (text, from) => text.indexOf(only.text, from), mayHave };
  const exactly = findWith(texts, isFolded ? 'giu' : 'g');
  const canLower = texts.every(({ text, fold }) => fold && isAscii(text));
  return { find: canLower ? findLowered(texts, exactly) : exactly, mayHave };
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
  const find = only && !more ? (text: string, from: number) => text.indexOf(only.text, from) : findWith(lowered, 'g');
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
