/**
 * Search by words, on name and description. All words of a query must be found: as a word, as the beginning of one, or
 * within one of the name, in this order of worth; a name weighs more than a description. What stands between words may be
 * left out or put in: `nodejs` is node.js, and `base 64` is base64. Only when nothing is found so, words that were typed
 * nearly right count too.
 */
import { SPACELESS, wordsInRow, wordsOf } from '../../contract/search-words.ts';
import type { Entry, Order } from './catalogue.ts';

const IN_NAME = 4;
const IN_DESCRIPTION = 1;
const WHOLE = 4;
const BEGINNING = 3;
const WITHIN = 1;
const NEARLY = 0.5;
const SAME_NAME = 100;
/** Before several words of a name as one, which is found as it is only; so many of them in a row. */
const JOINED = '\0';
const MOST_JOINED = 5;
/** Worths are halves; a sorting key holds one of them, and a place. */
const HALVES = 2;
const PLACES = 2 ** 32;
/** New words are looked through one by one until there are so many: then all words are put in order. */
const MANY = 500;
/** Whoever asks wants the best of what may be very many: so many are put in order, and the rest when more are wanted. */
const FIRST = 256;

/** A shorter one is looked for at the beginning of words only. */
const LEAST_WITHIN = 3;
/** So many pairs of letters a swap changes; of those that follow each other. */
const PAIRS_IN_EDIT = 3;

/** Those that have a word, by slot; a bit beside it says whether the name has it. */
type Having = number[];
const havingOf = (slot: number, weight: number) => 2 * slot + (weight === IN_NAME ? 1 : 0);

export class Names {
  readonly #words = new Map<string, Having>();
  #fresh: string[] = [];
  #known: Vocabulary = { sorted: [], letters: new Int32Array(0), pairs: new Int32Array(0) };

  add(entry: Entry): void {
    eachWord(entry, (word, having) => {
      const known = this.#words.get(word);
      if (known) known.push(having);
      else {
        this.#words.set(word, [having]);
        if (!word.startsWith(JOINED)) this.#fresh.push(word);
      }
    });
  }

  remove(entry: Entry): void {
    eachWord(entry, (word, having) => {
      const known = this.#words.get(word);
      if (!known) return;
      const at = known.indexOf(having);
      const last = known.pop();
      if (at >= 0 && at < known.length && last !== undefined) known[at] = last;
      if (known.length === 0) this.#words.delete(word);
    });
  }

  /** Those that fit and that `isAsked`, the best first, equally good ones in their order. */
  find(
    text: string,
    { sorted, places: placesOf }: Order,
    isAsked: (entry: Entry) => boolean,
  ): Iterable<Entry> & { count: number } {
    const words = wordsOf(text);
    const asTyped = this.#withAll(words, sorted.length, placesOf, (word) => this.#alike(word));
    const exactly = words.length < 2 ? asTyped : this.#orJoined(asTyped, text, sorted.length, placesOf);
    const isNone = !exactly.places.some((place) => isAsked(sorted[place] as Entry));
    const { worth, places } = isNone
      ? this.#withAll(words, sorted.length, placesOf, (word) => this.#nearly(word))
      : exactly;
    const same = sameTo(text.trim().toLowerCase());
    const keys = new Float64Array(places.length);
    let count = 0;
    for (const place of places) {
      const entry = sorted[place] as Entry;
      if (!isAsked(entry)) continue;
      const given = (worth[place] as number) + (same(entry.name) ? SAME_NAME : 0);
      keys[count++] = place - given * HALVES * PLACES;
    }
    const found = keys.subarray(0, count);
    return {
      count,
      *[Symbol.iterator]() {
        for (const key of leastFirst(found)) yield sorted[((key % PLACES) + PLACES) % PLACES] as Entry;
      },
    };
  }

  /** These, and those that have all the words as one. */
  #orJoined({ worth, places }: Fitting, text: string, count: number, placesOf: Int32Array): Fitting {
    const joined = this.#withAll([wordsInRow(text).join('')], count, placesOf, (word) => this.#asIs(word));
    for (const place of joined.places) {
      if (worth[place] === 0) places.push(place);
      worth[place] = Math.max(worth[place] as number, joined.worth[place] as number);
    }
    return { worth, places };
  }

  #withAll(
    words: string[],
    count: number,
    placesOf: Int32Array,
    alike: (word: string) => Iterable<[known: string, worth: number]>,
  ): Fitting {
    let before: Float32Array | undefined;
    let places: number[] = [];
    for (const word of words) {
      const worths = new Float32Array(count);
      const isOfDescriptions = SPACELESS.test(word);
      places = [];
      for (const [known, worth] of alike(word)) {
        for (const having of this.#words.get(known) ?? []) {
          const isInName = (having & 1) === 1;
          if (worth === WITHIN && !isInName && !isOfDescriptions) continue;
          const place = placesOf[having >> 1] as number;
          const had = before ? (before[place] as number) : 0;
          if (before && had === 0) continue;
          const now = had + worth * (isInName ? IN_NAME : IN_DESCRIPTION);
          const most = worths[place] as number;
          if (most === 0) places.push(place);
          if (now > most) worths[place] = now;
        }
      }
      before = worths;
    }
    return { worth: before ?? new Float32Array(0), places };
  }

  *#asIs(word: string): Generator<[string, number]> {
    yield [word, WHOLE];
    yield [JOINED + word, WHOLE];
  }

  *#alike(word: string): Generator<[string, number]> {
    yield* this.#asIs(word);
    const { sorted } = this.#vocabulary();
    for (let at = firstFrom(sorted, word); sorted[at]?.startsWith(word); at++) yield [sorted[at] ?? '', BEGINNING];
    const mayBeWithin = word.length >= LEAST_WITHIN || SPACELESS.test(word);
    for (const known of this.#fresh) {
      if (known.startsWith(word)) yield [known, BEGINNING];
      else if (mayBeWithin && known.includes(word)) yield [known, WITHIN];
    }
    if (!mayBeWithin) return;
    for (const known of withinAny(word, this.#vocabulary())) yield [known, WITHIN];
  }

  *#nearly(word: string): Generator<[string, number]> {
    yield* this.#alike(word);
    const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
    if (most === 0) return;
    for (const known of nearAny(word, most, this.#vocabulary())) yield [known, NEARLY];
    const fresh = this.#fresh.filter((known) => isNearly(word, known, most));
    for (const known of fresh) yield [known, NEARLY];
  }

  /** Puts words in order when many are new; a search does so too. */
  settle(): void {
    this.#vocabulary();
  }

  #vocabulary(): Vocabulary {
    if (this.#fresh.length <= MANY) return this.#known;
    const sorted = merged(
      this.#known.sorted.filter((word) => this.#words.has(word)),
      this.#fresh.filter((word) => this.#words.has(word)).sort(),
    );
    this.#fresh = [];
    this.#known = { sorted, letters: Int32Array.from(sorted, lettersOf), pairs: Int32Array.from(sorted, pairsOf) };
    return this.#known;
  }
}

/** By place, how well each function fits that has all the words, 0 for the others; and their places. */
type Fitting = { worth: Float32Array; places: number[] };

/** All words but the newest, and some that nobody has any more; and the letters and pairs of letters that each has. */
type Vocabulary = { sorted: readonly string[]; letters: Int32Array; pairs: Int32Array };

/** Words that have this one within them. Hardly any other has all of its letters and pairs of letters. */
function withinAny(word: string, { sorted, letters, pairs }: Vocabulary): string[] {
  const found: string[] = [];
  const hasLetters = lettersOf(word);
  const hasPairs = pairsOf(word);
  for (let at = 0; at < sorted.length; at++) {
    if ((hasLetters & ~(letters[at] as number)) !== 0 || (hasPairs & ~(pairs[at] as number)) !== 0) continue;
    const known = sorted[at] as string;
    if (known.includes(word) && !known.startsWith(word)) found.push(known);
  }
  return found;
}

/** Words that this one may have been meant to be, or to begin. */
function nearAny(word: string, most: number, { sorted, letters, pairs }: Vocabulary): string[] {
  const found: string[] = [];
  const hasLetters = lettersOf(word);
  const hasPairs = pairsOf(word);
  for (let at = 0; at < sorted.length; at++) {
    // Each letter that is missing takes an edit at least; a swap takes none of them away, but up to three pairs.
    if (bitsOf(hasLetters & ~(letters[at] as number)) > most) continue;
    if (bitsOf(hasPairs & ~(pairs[at] as number)) > PAIRS_IN_EDIT * most) continue;
    const known = sorted[at] as string;
    if (isNearly(word, known, most)) found.push(known);
  }
  return found;
}

const isNearly = (word: string, known: string, most: number) =>
  known.length >= word.length - most &&
  (isWithinEdits(word, known, most) ||
    (known.length > word.length && isWithinEdits(word, known.slice(0, word.length), most)));

/** Both in order, as one; each word once. */
function merged(left: readonly string[], right: readonly string[]): string[] {
  const all: string[] = [];
  for (let at = 0, other = 0; at < left.length || other < right.length; ) {
    const [one, two] = [left[at], right[other]];
    const isLeft = two === undefined || (one !== undefined && one <= two);
    const word = (isLeft ? one : two) as string;
    if (isLeft) at += 1;
    else other += 1;
    if (word !== all.at(-1)) all.push(word);
  }
  return all;
}

/** A bit for each letter, or for some that share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** The same for two that follow each other. */
function pairsOf(word: string): number {
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

/** Whether a name that holds this text is found by its words: a short one is no part of a word. */
export function isOfWords(text: string): boolean {
  const words = wordsOf(text);
  return words.length > 0 && words.every((word) => word.length >= LEAST_WITHIN);
}

/** Words of a name: `orderSync` is two, and one; so is `order-sync`. */
function wordsOfName(name: string): string[] {
  const words = wordsOf(name);
  const isOne = words.length < 2;
  const parted = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  if (parted !== name) for (const word of wordsOf(parted)) if (!words.includes(word)) words.push(word);
  return isOne ? words : words.concat(joinedOf(name));
}

/** Between pieces of a name: `@acme/http-client` has two. */
const BETWEEN = /[\s/]+/;
const HAS_SIGNS_WITHIN = /[\s/].*[^\s/][^\p{L}\p{M}\p{N}\s/]+[^\s/]/u;

/** The first words of a name as one, two and more, and those of each piece that has signs between its words. */
function joinedOf(name: string): string[] {
  const all = new Set<string>();
  const pieces = HAS_SIGNS_WITHIN.test(name) ? name.split(BETWEEN) : [];
  for (const piece of [name, ...pieces]) {
    let joined = JOINED;
    for (const [at, word] of wordsInRow(piece).slice(0, MOST_JOINED).entries()) {
      joined += word;
      if (at > 0) all.add(joined);
    }
  }
  return [...all];
}

/** Calls `each` with every word of a function, once. */
function eachWord({ name, description, slot }: Entry, each: (word: string, having: number) => void): void {
  const words = wordsOfName(name);
  for (const word of words) each(word, havingOf(slot, IN_NAME));
  for (const word of wordsOf(description)) if (!words.includes(word)) each(word, havingOf(slot, IN_DESCRIPTION));
}

/** Whether a name is this one, in lower case. Few are, and most of the others aren't as long. */
function sameTo(wanted: string): (name: string) => boolean {
  // Alone of all, the capital I with a dot becomes two characters.
  return (name) => (name.length === wanted.length || name.includes('\u0130')) && name.toLowerCase() === wanted;
}

/** These numbers, the least first; of many, few are mostly asked for. */
function* leastFirst(numbers: Float64Array): Iterable<number> {
  if (numbers.length > 2 * FIRST) yield* leastOf(numbers);
  yield* numbers.sort().subarray(numbers.length > 2 * FIRST ? FIRST : 0);
}

/** So many of the least, in order: each that is less than the greatest of them takes its place. */
function leastOf(numbers: Float64Array): Float64Array {
  const least = numbers.slice(0, 2 * FIRST);
  let count = least.length;
  let most = Number.POSITIVE_INFINITY;
  const keep = () => {
    least.subarray(0, count).sort();
    count = FIRST;
    most = least[FIRST - 1] as number;
  };
  keep();
  for (let at = 2 * FIRST; at < numbers.length; at++) {
    const each = numbers[at] as number;
    if (each >= most) continue;
    least[count++] = each;
    if (count === least.length) keep();
  }
  keep();
  return least.subarray(0, FIRST);
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
