/**
 * Search by words, on name and description. All words of a query must be found: as a word, as the beginning of one, or
 * within one of the name, in this order of worth; a name weighs more than a description. Only when nothing is found so,
 * words that were typed nearly right count too.
 */
import type { Entry } from './catalogue.ts';

const IN_NAME = 4;
const IN_DESCRIPTION = 1;
const WHOLE = 4;
const BEGINNING = 3;
const WITHIN = 1;
const NEARLY = 0.5;
const SAME_NAME = 100;
/** Worths are halves; a sorting key holds one of them, and a place. */
const HALVES = 2;
const PLACES = 2 ** 32;
/** New words are looked through one by one until there are so many: then all words are put in order. */
const MANY = 500;

export class Names {
  readonly #words = new Map<string, Map<Entry, number>>();
  #fresh: string[] = [];
  #known: Vocabulary = { sorted: [], joined: '', starts: new Int32Array(0), letters: new Int32Array(0) };

  add(entry: Entry): void {
    for (const [word, weight] of weigh(entry)) {
      const known = this.#words.get(word);
      if (known) known.set(entry, weight);
      else {
        this.#words.set(word, new Map([[entry, weight]]));
        this.#fresh.push(word);
      }
    }
  }

  remove(entry: Entry): void {
    for (const [word] of weigh(entry)) {
      const known = this.#words.get(word);
      known?.delete(entry);
      if (known?.size === 0) this.#words.delete(word);
    }
  }

  /**
   * Those that fit and that `isAsked`, the best first, equally good ones in their order. `sorted` are all functions in
   * their order; each knows its place in it.
   */
  find(
    text: string,
    sorted: readonly Entry[],
    isAsked: (entry: Entry) => boolean,
  ): Iterable<Entry> & { count: number } {
    const words = wordsOf(text);
    const exactly = this.#withAll(words, sorted.length, (word) => this.#alike(word));
    const isNone = !exactly.places.some((place) => isAsked(sorted[place] as Entry));
    const { worth, places } = isNone ? this.#withAll(words, sorted.length, (word) => this.#nearly(word)) : exactly;
    const name = text.trim().toLowerCase();
    const keys = new Float64Array(places.length);
    let count = 0;
    for (const place of places) {
      const entry = sorted[place] as Entry;
      if (!isAsked(entry)) continue;
      const given = (worth[place] as number) + (entry.name.toLowerCase() === name ? SAME_NAME : 0);
      keys[count++] = place - given * HALVES * PLACES;
    }
    const ranked = keys.subarray(0, count).sort();
    return {
      count,
      *[Symbol.iterator]() {
        for (const key of ranked) yield sorted[((key % PLACES) + PLACES) % PLACES] as Entry;
      },
    };
  }

  /** By place, how well each function fits that has all the words; and their places. */
  #withAll(
    words: string[],
    count: number,
    alike: (word: string) => Iterable<[known: string, worth: number]>,
  ): { worth: Float32Array; places: number[] } {
    let before: Float32Array | undefined;
    let places: number[] = [];
    for (const word of words) {
      const worths = new Float32Array(count);
      places = [];
      for (const [known, worth] of alike(word)) {
        for (const [{ place }, weight] of this.#words.get(known) ?? []) {
          if (worth === WITHIN && weight < IN_NAME) continue;
          const had = before ? (before[place] as number) : 0;
          if (before && had === 0) continue;
          const now = had + worth * weight;
          const most = worths[place] as number;
          if (most === 0) places.push(place);
          if (now > most) worths[place] = now;
        }
      }
      before = worths;
    }
    return { worth: before ?? new Float32Array(0), places };
  }

  *#alike(word: string): Generator<[string, number]> {
    const { sorted, joined, starts } = this.#vocabulary();
    for (let at = firstFrom(sorted, word); sorted[at]?.startsWith(word); at++) {
      const known = sorted[at] ?? '';
      yield [known, known === word ? WHOLE : BEGINNING];
    }
    for (const known of this.#fresh) {
      if (known.startsWith(word)) yield [known, known === word ? WHOLE : BEGINNING];
      else if (word.length >= 3 && known.includes(word)) yield [known, WITHIN];
    }
    if (word.length < 3) return;
    // No word has a newline; so what is found lies within one, and one that begins so was found above.
    for (let from = joined.indexOf(word); from >= 0; ) {
      const at = lastUpTo(starts, from);
      const known = sorted[at] ?? '';
      if ((starts[at] ?? 0) < from && !known.startsWith(word)) yield [known, WITHIN];
      from = joined.indexOf(word, (starts[at] ?? 0) + known.length);
    }
  }

  *#nearly(word: string): Generator<[string, number]> {
    yield* this.#alike(word);
    const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
    if (most === 0) return;
    const letters = lettersOf(word);
    const isNear = (known: string, has: number) =>
      // Each letter that is missing takes an edit at least; a swap takes none of them away.
      bitsOf(letters & ~has) <= most &&
      known.length >= word.length - most &&
      (isWithinEdits(word, known, most) ||
        (known.length > word.length && isWithinEdits(word, known.slice(0, word.length), most)));
    const { sorted, letters: all } = this.#vocabulary();
    for (let at = 0; at < sorted.length; at++)
      if (isNear(sorted[at] as string, all[at] as number)) yield [sorted[at] as string, NEARLY];
    for (const known of this.#fresh) if (isNear(known, lettersOf(known))) yield [known, NEARLY];
  }

  /** Puts words in order when many are new; a search does so too. */
  settle(): void {
    this.#vocabulary();
  }

  #vocabulary(): Vocabulary {
    if (this.#fresh.length <= MANY) return this.#known;
    this.#fresh = [];
    const sorted = [...this.#words.keys()].sort();
    const starts = new Int32Array(sorted.length);
    for (let at = 1; at < sorted.length; at++) starts[at] = (starts[at - 1] ?? 0) + (sorted[at - 1] ?? '').length + 1;
    this.#known = { sorted, joined: sorted.join('\n'), starts, letters: Int32Array.from(sorted, lettersOf) };
    return this.#known;
  }
}

/** All words but the newest, and some that nobody has any more; joined, where each begins, and the letters each has. */
type Vocabulary = { sorted: readonly string[]; joined: string; starts: Int32Array; letters: Int32Array };

/** A bit for each letter, or for some that share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(given: number): number {
  let count = 0;
  for (let bits = given; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

/** The last of these numbers, which go up, that isn't beyond. */
function lastUpTo(numbers: Int32Array, most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The words of a text in lower case, each once; `orderSync` is two, and one. */
export function wordsOf(text: string): string[] {
  const parts = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(parts.map((part) => part.toLowerCase()))];
}

function weigh({ name, description }: Entry): Map<string, number> {
  const parted = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return new Map([
    ...wordsOf(description).map((word): [string, number] => [word, IN_DESCRIPTION]),
    ...[...wordsOf(name), ...wordsOf(parted)].map((word): [string, number] => [word, IN_NAME]),
  ]);
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

/** Whether one becomes the other by so many letters changed, added, left out, or swapped with their neighbour. */
export function isWithinEdits(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most) return false;
  let older = ROWS[0];
  let previous = ROWS[1];
  let row = ROWS[2];
  if (right.length >= ROW) return false;
  for (let j = 0; j <= right.length; j++) previous[j] = j;
  for (let i = 1; i <= left.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= right.length; j++) {
      const same = left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1;
      let edits = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + same);
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwap) edits = Math.min(edits, (older[j - 2] as number) + 1);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return false;
    const free = older;
    older = previous;
    previous = row;
    row = free;
  }
  return (previous[right.length] as number) <= most;
}

/** A query has no longer word. */
const ROW = 1024;
const ROWS = [new Int32Array(ROW), new Int32Array(ROW), new Int32Array(ROW)] as const;
