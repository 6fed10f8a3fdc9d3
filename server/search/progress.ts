/**
 * What the threads that are at one search know of each other, in words of memory that they share: whether to stop, behind
 * which place no search is needed, and where each of them found something. So each ends as soon as there are enough
 * better finds by any thread.
 */

/** The words before the finds; `begun`: how many threads have begun. */
const HEAD = { words: 3, stop: 0, lastPlace: 1, begun: 2 } as const;
const NOWHERE = 2 ** 31 - 1;

export type Progress = {
  /** To be handed to the other threads. */
  readonly memory: SharedArrayBuffer;
  stop(): void;
  isStopped(): boolean;
  begin(): void;
  begun(): number;
  /** Places after this one are not needed. */
  endAt(place: number): void;
  lastPlace(): number;
  /** One of the threads found something; its places go up. */
  found(share: number, place: number): void;
  /** Whether this many were found before a place, by all threads; asked by one of them, for places that go up. */
  hasEnoughBefore(place: number): boolean;
};

/** Of a search that this many threads take part in, and that asks for this many functions; `memory` is that of another thread. */
export function createProgress(shares: number, limit: number, memory?: SharedArrayBuffer): Progress {
  // Each thread publishes how many it has, then where they are; no one asks for more than whether there is one beyond the limit.
  const most = limit + 1;
  const room = 1 + most;
  const shared = memory ?? new SharedArrayBuffer(4 * (HEAD.words + shares * room));
  const words = new Int32Array(shared);
  if (!memory) words[HEAD.lastPlace] = NOWHERE;
  /** Of each thread: the number of its finds before the place asked about last. */
  const passed = new Uint32Array(shares);

  return {
    memory: shared,
    stop: () => void Atomics.store(words, HEAD.stop, 1),
    isStopped: () => Atomics.load(words, HEAD.stop) === 1,
    begin: () => void Atomics.add(words, HEAD.begun, 1),
    begun: () => Atomics.load(words, HEAD.begun),
    endAt(place) {
      if (place < Atomics.load(words, HEAD.lastPlace)) Atomics.store(words, HEAD.lastPlace, place);
    },
    lastPlace: () => Atomics.load(words, HEAD.lastPlace),
    found(share, place) {
      const at = HEAD.words + share * room;
      const count = Atomics.load(words, at);
      if (count === most) return;
      Atomics.store(words, at + 1 + count, place);
      Atomics.store(words, at, count + 1);
    },
    hasEnoughBefore(place) {
      let enough = 0;
      for (let share = 0; share < shares; share++) {
        const at = HEAD.words + share * room;
        const count = Atomics.load(words, at);
        let before = passed[share] as number;
        while (before < count && Atomics.load(words, at + 1 + before) < place) before += 1;
        passed[share] = before;
        enough += before;
      }
      return enough >= most;
    },
  };
}
