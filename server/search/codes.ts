/** The codes a searcher can read, by number: in segments, or fresh and in no segment yet. */
import type { FreshCode } from './messages.ts';
import type { Need } from './needs.ts';
import { Segment, type SegmentView } from './segment.ts';

type Place = { segment: Segment; at: number };

export class Codes {
  readonly #segments = new Map<number, Segment>();
  readonly #places = new Map<number, Place>();
  readonly #fresh = new Map<number, Uint8Array>();

  /** Takes new ones in, before it lets go of those that they stand for. */
  change(segments: SegmentView[], fresh: FreshCode[], dropped: number[], gone: number[]): void {
    for (const [number, packed] of fresh) this.#fresh.set(number, new Uint8Array(packed));
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

  /** Undefined when it is gone. */
  read(number: number): Uint8Array | undefined {
    const place = this.#places.get(number);
    return place ? place.segment.read(place.at) : this.#fresh.get(number);
  }

  /** Numbers of all codes that may have what is needed; undefined for every code there is. */
  candidates(need: Need): number[] | undefined {
    const found: number[] = [...this.#fresh.keys()];
    for (const segment of this.#segments.values()) {
      const places = segment.candidates(need);
      if (!places) return undefined;
      for (const place of places) found.push(segment.numbers[place] ?? -1);
    }
    return found;
  }
}
