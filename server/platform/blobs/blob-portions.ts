/** Blobs per portion, and their bytes unless one alone is larger. */
const PORTION_BLOBS = 500;
const PORTION_BYTES = 8 * 1024 * 1024;

/** Cuts a list of blobs, in its order, into portions that are read or stored together. */
export function* portionsOf<T extends { size: number }>(blobs: Iterable<T>): Generator<T[], void, undefined> {
  let portion: T[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    if (portion.length === PORTION_BLOBS || (portion.length > 0 && bytes + blob.size > PORTION_BYTES)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(blob);
    bytes += blob.size;
  }
  if (portion.length > 0) yield portion;
}
