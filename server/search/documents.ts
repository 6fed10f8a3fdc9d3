/** The documents that a searcher can read, by number: in segments, or fresh, in memory. */
import { compareLikeness, type Likeness, packedLikeness } from './index/packed-code.ts';
import { allocatePlaces, freePlaces, Segment } from './index/segment.ts';
import { reserveCode } from './kernels/byte-finder.ts';
import type { CodeChange } from './messages.ts';
import type { Need } from './query/needs.ts';

type Place = { segment: Segment; at: number };
type Fresh = { packed: Uint8Array; likeness: Likeness };

export class Documents {
  readonly #segments = new Map<number, Segment>();
  readonly #places = new Map<number, Place>();
  readonly #fresh = new Map<number, Fresh>();
  /** Documents that could not be read. */
  #missing: ReadonlySet<number> = new Set();

  /** Adds new documents before it drops those that they replace. */
  change({ segments, fresh, dropped, gone, missing }: CodeChange): void {
    if (missing) this.#missing = new Set(missing);
    for (const [number, shared] of fresh) {
      const packed = new Uint8Array(shared);
      this.#fresh.set(number, { packed, likeness: packedLikeness(packed) });
    }
    for (const view of segments) {
      const segment = new Segment(view);
      this.#segments.set(view.id, segment);
      for (const [at, number] of segment.numbers.entries()) {
        this.#places.set(number, { segment, at });
        this.#fresh.delete(number);
      }
    }
    for (const id of dropped) {
      const segment = this.#segments.get(id);
      this.#segments.delete(id);
      for (const number of segment?.numbers ?? [])
        if (this.#places.get(number)?.segment === segment) this.#places.delete(number);
    }
    for (const number of gone) this.#fresh.delete(number);
  }

  /** Reads a document into `reserveCode`; valid until the next read. Undefined when it is gone. */
  read(number: number): Uint8Array | undefined {
    const place = this.#places.get(number);
    if (place) return place.segment.read(place.at);
    const fresh = this.#fresh.get(number);
    if (!fresh) return undefined;
    const room = reserveCode(fresh.packed.length);
    room.set(fresh.packed);
    return room;
  }

  /** The likeness of a document (likeness.ts); undefined when it is gone. */
  likeness(number: number): Likeness | undefined {
    const place = this.#places.get(number);
    if (place) return place.segment.likeness(place.at);
    return this.#fresh.get(number)?.likeness;
  }

  /** The numbers of the documents with this likeness. */
  alike(sought: Likeness): number[] {
    const found = [...this.#segments.values()].flatMap((segment) => segment.alike(sought));
    for (const [number, { likeness }] of this.#fresh) if (compareLikeness(likeness, sought) === 0) found.push(number);
    return found;
  }

  /** Whether a document could not be read: a search that needs it returns truncated results. */
  isMissing(number: number): boolean {
    return this.#missing.has(number);
  }

  /**
   * The numbers of the documents of this share that may match, valid until the next search; undefined for all
   * documents.
   */
  candidates(need: Need, share = 0, shares = 1): Uint32Array | undefined {
    freePlaces();
    const idle = new Set<Need>();
    const chosen: { numbers: Uint32Array; places: Uint32Array }[] = [];
    let most = this.#fresh.size + this.#missing.size;
    const segments = [...this.#segments.values()].sort((a, b) => a.view.id - b.view.id);
    for (const [at, segment] of segments.entries()) {
      if (at % shares !== share) continue;
      const places = segment.candidates(need, idle);
      if (!places) return undefined;
      chosen.push({ numbers: segment.numbers, places });
      most += places.length;
    }
    const found = allocatePlaces(most);
    let count = 0;
    for (const number of this.#fresh.keys()) if (number % shares === share) found[count++] = number;
    // Their content is unknown: a search that needs one of them returns truncated results.
    for (const number of this.#missing) if (number % shares === share) found[count++] = number;
    for (const { numbers, places } of chosen)
      for (let at = 0; at < places.length; at++) found[count++] = numbers[places[at] ?? 0] ?? 0;
    return found.subarray(0, count);
  }

  /** Reads the lists of the segments once, up to `most` bytes, in steps, so that the system has them in memory. */
  *preload(most: number): Generator<undefined> {
    let left = most;
    for (const segment of [...this.#segments.values()])
      for (const bytes of segment.preload(left)) {
        left -= bytes;
        yield;
        // Its file is closed when no thread reads it.
        if (left <= 0 || this.#segments.get(segment.view.id) !== segment) break;
      }
  }

  /** The number of documents in segments. */
  get count(): number {
    return this.#places.size;
  }

  get segments(): number {
    return this.#segments.size;
  }
}
