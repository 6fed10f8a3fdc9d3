/** The words of names and descriptions, and which of them are like one that is sought. */

/** This many pairs of letters a swap changes; of those that follow each other. */
const PAIRS_IN_EDIT = 3;

/** All words but the newest, and some that are unreferenced; and the letters and pairs of letters that each has. */
export type Vocabulary = { sorted: readonly string[]; letters: Int32Array; pairs: Int32Array };

/** Words that begin so, this one among them. */
export function* beginningWith(word: string, { sorted }: Vocabulary): Iterable<string> {
  for (let at = firstFrom(sorted, word); ; at++) {
    const known = sorted[at];
    if (!known?.startsWith(word)) return;
    yield known;
  }
}

/** Words that have this one within them. Hardly any other has all of its letters and pairs of letters. */
export function withinAny(word: string, { sorted, letters, pairs }: Vocabulary): string[] {
  const found: string[] = [];
  const hasLetters = lettersOf(word);
  const hasPairs = pairsOf(word);
  for (let at = 0; at < sorted.length; at++) {
    if ((hasLetters & ~(letters[at] ?? 0)) !== 0 || (hasPairs & ~(pairs[at] ?? 0)) !== 0) continue;
    const known = sorted[at] ?? '';
    if (known.includes(word) && !known.startsWith(word)) found.push(known);
  }
  return found;
}

/** Words that this one may have been meant to be, or to begin. */
export function nearAny(word: string, most: number, { sorted, letters, pairs }: Vocabulary): string[] {
  const found: string[] = [];
  const hasLetters = lettersOf(word);
  const hasPairs = pairsOf(word);
  for (let at = 0; at < sorted.length; at++) {
    // Each letter that is missing takes an edit at least; a swap takes none of them away, but up to three pairs.
    if (bitsOf(hasLetters & ~(letters[at] ?? 0)) > most) continue;
    if (bitsOf(hasPairs & ~(pairs[at] ?? 0)) > PAIRS_IN_EDIT * most) continue;
    const known = sorted[at] ?? '';
    if (isNearly(word, known, most)) found.push(known);
  }
  return found;
}

export const isNearly = (word: string, known: string, most: number) =>
  known.length >= word.length - most &&
  (isWithinEdits(word, known, most) ||
    (known.length > word.length && isWithinEdits(word, known.slice(0, word.length), most)));

/** Both in order, as one; each word once. */
export function merged(left: readonly string[], right: readonly string[]): string[] {
  const all: string[] = [];
  for (let at = 0, other = 0; ; ) {
    const [one, two] = [left[at], right[other]];
    const isLeft = two === undefined || (one !== undefined && one <= two);
    const word = isLeft ? one : two;
    if (word === undefined) return all;
    if (isLeft) at += 1;
    else other += 1;
    if (word !== all.at(-1)) all.push(word);
  }
}

/** A bit for each letter, or for some that share one. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** The same for two that follow each other. */
export function pairsOf(word: string): number {
  let pairs = 0;
  for (let at = 1; at < word.length; at++) pairs |= 1 << ((31 * word.charCodeAt(at - 1) + word.charCodeAt(at)) & 31);
  return pairs;
}

/** How many of its bits are set: all counted at once, in pairs, then in fours, then in eights. */
function bitsOf(given: number): number {
  const twos = given - ((given >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function firstFrom(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether one becomes the other by this many letters changed, added, left out, or swapped with the adjacent one. */
export function isWithinEdits(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most || right.length >= ROW) return false;
  let [older, previous, row] = ROWS;
  for (let j = 0; j <= right.length; j++) previous[j] = j;
  for (let i = 1; i <= left.length; i++) {
    // What is further from the diagonal takes more edits than there may be.
    const from = Math.max(1, i - most);
    const to = Math.min(right.length, i + most);
    row[from - 1] = from === 1 ? i : TOO_MANY;
    let least = row[from - 1] ?? 0;
    for (let j = from; j <= to; j++) {
      const same = left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1;
      let edits = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwap) edits = Math.min(edits, (older[j - 2] ?? 0) + 1);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return false;
    row[to + 1] = TOO_MANY;
    [older, previous, row] = [previous, row, older];
  }
  return (previous[right.length] ?? 0) <= most;
}

/** A query has no longer word. */
const ROW = 1024;
const ROWS = [new Int32Array(ROW + 1), new Int32Array(ROW + 1), new Int32Array(ROW + 1)] as const;
const TOO_MANY = ROW;
