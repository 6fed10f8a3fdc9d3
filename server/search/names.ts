/**
 * Search by words in names and descriptions. Every word of the query must match: a whole word, the beginning of a word,
 * or a part of the name, with decreasing weight. A name weighs more than a description. Word separators are optional in
 * both: `nodejs` finds node.js, and `base 64` finds base64. Words with typos match only when nothing else does.
 */
import { SPACELESS, wordsInRow, wordsOf } from '../../contract/text/search-words.ts';
import { createBufferPool } from './index/buffer-pool.ts';
import type { Ranking } from './ranked-list.ts';
import {
  beginningWith,
  isNearly,
  lettersOf,
  merged,
  nearAny,
  pairsOf,
  type Vocabulary,
  withinAny,
} from './vocabulary.ts';

const IN_NAME = 4;
const IN_DESCRIPTION = 1;
const WHOLE = 4;
const BEGINNING = 3;
const WITHIN = 1;
const NEARLY = 0.5;
const SAME_NAME = 100;
/** Precedes words of a name that are indexed as one, which match as a whole only; at most this many in a row. */
const JOINED = '\0';
const MOST_JOINED = 5;
/** Weights are multiples of 1/2. A sorting key combines a weight and a place. */
const HALVES = 2;
const PLACES = 2 ** 32;
/** New words are searched linearly; above this number, all words are sorted. */
const MANY = 500;
/** Most queries need only the best results: this many are sorted first, the rest on demand. */
const FIRST = 256;

/** A shorter word matches the beginning of words only. */
const LEAST_WITHIN = 3;

/** The name and the description of a function. */
type Named = { name: string; description: string };
/** Reads them by slot. */
type Source = { row(slot: number): Named };

/** The functions that have a word: twice the slot, plus 1 when the word is in the name. */
type Having = number[];
const havingOf = (slot: number, weight: number) => 2 * slot + (weight === IN_NAME ? 1 : 0);

export class Names {
  readonly #rows: Source;
  readonly #words = new Map<string, Having>();
  /** Not indexed yet, so that code searches do not wait for it. */
  readonly #late = new Set<number>();
  #fresh: string[] = [];
  #known: Vocabulary = { sorted: [], letters: new Int32Array(0), pairs: new Int32Array(0) };
  /** By slot: the letters of the name, as bits. */
  #letters = new Int32Array(0);
  readonly #worths = createBufferPool<Float32Array>((length) => new Float32Array(length));

  constructor(rows: Source) {
    this.#rows = rows;
  }

  add(slot: number): void {
    this.#late.add(slot);
  }

  /** Indexes up to `most` added functions; returns whether more remain. A search by words indexes all. */
  indexNext(most = Number.POSITIVE_INFINITY): boolean {
    let left = most;
    for (const slot of this.#late) {
      if (left-- <= 0) return true;
      this.#late.delete(slot);
      this.#take(slot);
    }
    return false;
  }

  #take(slot: number): void {
    if (slot >= this.#letters.length) {
      const wider = new Int32Array(2 * slot + FIRST);
      wider.set(this.#letters);
      this.#letters = wider;
    }
    const named = this.#rows.row(slot);
    this.#letters[slot] = lettersOf(named.name.toLowerCase());
    eachWord(named, slot, (word, having) => {
      const known = this.#words.get(word);
      if (known) known.push(having);
      else {
        this.#words.set(word, [having]);
        if (!word.startsWith(JOINED)) this.#fresh.push(word);
      }
    });
  }

  remove(slot: number): void {
    if (this.#late.delete(slot)) return;
    eachWord(this.#rows.row(slot), slot, (word, having) => {
      const known = this.#words.get(word);
      if (!known) return;
      const at = known.indexOf(having);
      const last = known.pop();
      if (at >= 0 && at < known.length && last !== undefined) known[at] = last;
      if (known.length === 0) this.#words.delete(word);
    });
  }

  /**
   * Returns the matching functions for which `isAsked` is true: the best first, equal ones in the order of the ranking.
   */
  find(
    text: string,
    { sorted, places: placesOf }: Ranking,
    isAsked: (slot: number) => boolean,
  ): Iterable<number> & { count: number } {
    this.indexNext();
    const words = wordsOf(text);
    const asTyped = this.#withAll(words, sorted.length, placesOf, (word) => this.#alike(word));
    const exactly = words.length < 2 ? asTyped : this.#orJoined(asTyped, text, sorted.length, placesOf);
    const isNone = !exactly.places.some((place) => isAsked(sorted[place] ?? 0));
    const { worth, places } = isNone
      ? this.#withAll(words, sorted.length, placesOf, (word) => this.#nearly(word))
      : exactly;
    const same = sameTo(text.trim().toLowerCase());
    const keys = new Float64Array(places.length);
    let count = 0;
    for (const place of places) {
      const slot = sorted[place] ?? 0;
      if (!isAsked(slot)) continue;
      const given = (worth[place] ?? 0) + (same(this.#rows.row(slot).name) ? SAME_NAME : 0);
      keys[count++] = place - given * HALVES * PLACES;
    }
    const found = keys.subarray(0, count);
    this.#release(worth, places);
    if (isNone) this.#release(exactly.worth, exactly.places);
    return {
      count,
      *[Symbol.iterator]() {
        for (const key of leastFirst(found)) yield sorted[((key % PLACES) + PLACES) % PLACES] ?? 0;
      },
    };
  }

  /** The functions whose name contains a text, ignoring case, in the order of the ranking. */
  withinNames(text: string, { sorted }: Ranking, isAsked: (slot: number) => boolean): number[] {
    this.indexNext();
    const sought = text.toLowerCase();
    const letters = lettersOf(sought);
    const known = this.#letters;
    const found: number[] = [];
    for (const slot of sorted) {
      if ((letters & ~(known[slot] ?? 0)) !== 0 || !isAsked(slot)) continue;
      if (this.#rows.row(slot).name.toLowerCase().includes(sought)) found.push(slot);
    }
    return found;
  }

  #release(worths: Float32Array, places: readonly number[]): void {
    for (const place of places) worths[place] = 0;
    this.#worths.give(worths);
  }

  /** Adds the functions that have all the words joined into one. */
  #orJoined({ worth, places }: Fitting, text: string, count: number, placesOf: Int32Array): Fitting {
    const joined = this.#withAll([wordsInRow(text).join('')], count, placesOf, (word) => this.#asIs(word));
    for (const place of joined.places) {
      if (worth[place] === 0) places.push(place);
      worth[place] = Math.max(worth[place] ?? 0, joined.worth[place] ?? 0);
    }
    this.#release(joined.worth, joined.places);
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
      if (before && places.length === 0) break;
      const worths = this.#worths.take(count);
      const isOfDescriptions = SPACELESS.test(word);
      const placesBefore = places;
      places = [];
      for (const [known, worth] of alike(word)) {
        for (const having of this.#words.get(known) ?? []) {
          const isInName = (having & 1) === 1;
          if (worth === WITHIN && !isInName && !isOfDescriptions) continue;
          const place = placesOf[having >> 1] ?? -1;
          if (place < 0) continue;
          const had = before ? (before[place] ?? 0) : 0;
          if (before && had === 0) continue;
          const now = had + worth * (isInName ? IN_NAME : IN_DESCRIPTION);
          const most = worths[place] ?? 0;
          if (most === 0) places.push(place);
          if (now > most) worths[place] = now;
        }
      }
      if (before) this.#release(before, placesBefore);
      before = worths;
    }
    return { worth: before ?? this.#worths.take(count), places };
  }

  *#asIs(word: string): Generator<[string, number]> {
    yield [word, WHOLE];
    yield [JOINED + word, WHOLE];
  }

  *#alike(word: string): Generator<[string, number]> {
    yield* this.#asIs(word);
    for (const known of beginningWith(word, this.#vocabulary())) yield [known, BEGINNING];
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

  /** Indexes the added functions, and sorts the words when many are new. A search does the same. */
  settle(): void {
    this.indexNext();
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

/** By place: the weight of each function that has all the words, 0 for the others; and the places of the former. */
type Fitting = { worth: Float32Array; places: number[] };

/**
 * Whether the word index finds every name that contains this text. Words too short to match within a name prevent it.
 */
export function isOfWords(text: string): boolean {
  const words = wordsOf(text);
  return words.length > 0 && words.every((word) => word.length >= LEAST_WITHIN);
}

/** Words of a name: `orderSync` has two, and is also one; so is `order-sync`. */
function wordsOfName(name: string): string[] {
  const words = wordsOf(name);
  const isOne = words.length < 2;
  const parted = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  if (parted !== name) for (const word of wordsOf(parted)) if (!words.includes(word)) words.push(word);
  return isOne ? words : words.concat(joinedOf(name));
}

/** Separates the parts of a name: `@acme/http-client` has two. */
const BETWEEN = /[\s/]+/;
const HAS_SIGNS_WITHIN = /[\s/].*[^\s/][^\p{L}\p{M}\p{N}\s/]+[^\s/]/u;

/** The first words of a name joined: two, three and more; and those of each part that has signs between its words. */
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

/** Calls `each` once for every word of a function. */
function eachWord({ name, description }: Named, slot: number, each: (word: string, having: number) => void): void {
  const words = wordsOfName(name);
  for (const word of words) each(word, havingOf(slot, IN_NAME));
  for (const word of wordsOf(description)) if (!words.includes(word)) each(word, havingOf(slot, IN_DESCRIPTION));
}

/** Returns a test for equality with `wanted`, ignoring case. It compares lengths first, which excludes most names. */
function sameTo(wanted: string): (name: string) => boolean {
  // The capital I with a dot is the only character that becomes two in lower case.
  return (name) => (name.length === wanted.length || name.includes('\u0130')) && name.toLowerCase() === wanted;
}

/** The numbers in ascending order, sorted lazily: most callers need only the first. */
function* leastFirst(numbers: Float64Array): Iterable<number> {
  if (numbers.length > 2 * FIRST) yield* leastOf(numbers);
  yield* numbers.sort().subarray(numbers.length > 2 * FIRST ? FIRST : 0);
}

/** The `FIRST` lowest numbers in ascending order: candidates below the highest of them replace it. */
function leastOf(numbers: Float64Array): Float64Array {
  const least = numbers.slice(0, 2 * FIRST);
  let count = least.length;
  let most = Number.POSITIVE_INFINITY;
  const keep = () => {
    least.subarray(0, count).sort();
    count = FIRST;
    most = least[FIRST - 1] ?? 0;
  };
  keep();
  for (let at = 2 * FIRST; at < numbers.length; at++) {
    const each = numbers[at] ?? 0;
    if (each >= most) continue;
    least[count++] = each;
    if (count === least.length) keep();
  }
  keep();
  return least.subarray(0, FIRST);
}
