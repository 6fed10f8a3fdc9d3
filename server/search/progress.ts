/**
 * What the threads that are at one search know of each other, in words of memory that they share: whether to stop, behind
 * which place nobody needs to look, and where each of them found something. So each ends by itself once there are enough
 * better finds, whoever made them.
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
  /** What stands behind this place isn't asked for. */
  endAt(place: number): void;
  lastPlace(): number;
  /** One of the threads found something; its places go up. */
  found(share: number, place: number): void;
  /** Whether so many were found before a place, by all threads; asked by one of them, for places that go up. */
  hasEnoughBefore(place: number): boolean;
};

/** Of a search that so many threads take part in, and that asks for so many functions; `memory` is that of another thread. */
export function createProgress(shares: number, limit: number, memory?: SharedArrayBuffer): Progress {
  // Each thread tells how many it has, then where they are; nobody asks for more than whether there is one beyond the limit.
  const most = limit + 1;
  const room = 1 + most;
  const shared = memory ?? new SharedArrayBuffer(4 * (HEAD.words + shares * room));
  const words = new Int32Array(shared);
  if (!memory) words[HEAD.lastPlace] = NOWHERE;
  /** Of each thread: how many of its finds stand before the place asked about last. */
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
