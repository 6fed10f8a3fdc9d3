/**
 * Arrays that were used before, with nothing in them but zeros: one made for each search would have V8 look through all
 * that a thread knows, again and again, for what is free.
 */
export type BufferPool<T> = {
  /** One of at least this length. */
  take(length: number): T;
  /** Released; it is zeroed again. */
  give(array: T): void;
};

/** For what is yet to come. */
const ROOM = 1024;
/** As many searches as take turns. */
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
