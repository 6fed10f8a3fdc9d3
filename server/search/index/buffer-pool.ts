/**
 * A pool of zeroed arrays. A new large array for each search would make V8 collect garbage over the whole heap of the
 * thread, again and again.
 */
export type BufferPool<T> = {
  /** Returns a zeroed array of at least this length. */
  take(length: number): T;
  /** Returns an array to the pool; the caller has zeroed it. */
  give(array: T): void;
};

/** Spare length, so that an array still fits after the index has grown. */
const ROOM = 1024;
/** Arrays kept: one for each search that may run at the same time. */
const MOST = 8;

export function createBufferPool<T extends { length: number }>(make: (length: number) => T): BufferPool<T> {
  const spare: T[] = [];
  return {
    take(length) {
      const array = spare.pop();
      return array && array.length >= length ? array : make(length + ROOM);
    },
    give(array) {
      if (spare.length < MOST) spare.push(array);
    },
  };
}
