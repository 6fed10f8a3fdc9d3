/** The words of names and descriptions: which begin with, contain or resemble a given word. */

/** Swapping two letters changes up to this many pairs of adjacent letters. */
const PAIRS_IN_EDIT = 3;

/**
 * All words but the newest, in order, including some without functions; for each, bits of its letters and letter pairs.
 */
export type Vocabulary = { sorted: readonly string[]; letters: Int32Array; pairs: Int32Array };

/** Words that begin with this one, which may be one of them. */
export function* beginningWith(word: string, { sorted }: Vocabulary): Iterable<string> {
  for (let at = firstFrom(sorted, word); ; at++) {
    const known = sorted[at];
    if (!known?.startsWith(word)) return;
    yield known;
  }
}

/** Words that contain this one but do not begin with it. The bits exclude nearly all others without a comparison. */
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

/** Words that equal or begin with this one, apart from typos. */
export function nearAny(word: string, most: number, { sorted, letters, pairs }: Vocabulary): string[] {
  const found: string[] = [];
  const hasLetters = lettersOf(word);
  const hasPairs = pairsOf(word);
  for (let at = 0; at < sorted.length; at++) {
    // Each missing letter takes at least one edit. A swap changes no letters, but up to three pairs.
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

/** Merges two sorted lists; each word appears once. */
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

/** The letters of a word as bits; several letters share a bit. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** The pairs of adjacent letters of a word as bits. */
export function pairsOf(word: string): number {
  let pairs = 0;
  for (let at = 1; at < word.length; at++) pairs |= 1 << ((31 * word.charCodeAt(at - 1) + word.charCodeAt(at)) & 31);
  return pairs;
}

/** The number of set bits, counted in parallel: in pairs, then fours, then eights. */
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

/** Whether at most this many edits turn one word into the other: change, insert, remove, or swap adjacent letters. */
export function isWithinEdits(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most || right.length >= ROW) return false;
  let [older, previous, row] = ROWS;
  for (let j = 0; j <= right.length; j++) previous[j] = j;
  for (let i = 1; i <= left.length; i++) {
    // Cells further from the diagonal need more edits than allowed.
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

/** Longer than any word of a query. */
const ROW = 1024;
const ROWS = [new Int32Array(ROW + 1), new Int32Array(ROW + 1), new Int32Array(ROW + 1)] as const;
const TOO_MANY = ROW;
