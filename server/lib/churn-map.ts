/**
 * A Map for entries that are added and removed with every call. V8 reallocates the table of a busy Map repeatedly, and
 * each table refers to the next. Once one table is in the old generation, everything that later tables contained stays
 * alive until the next full collection. Here tables hold cells, which are emptied.
 */
export class ChurnMap<K, V extends object> {
  readonly #cells = new Map<K, { value: V | undefined }>();

  get size(): number {
    return this.#cells.size;
  }

  has(key: K): boolean {
    return this.#cells.has(key);
  }

  get(key: K): V | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: K, value: V): void {
    const cell = this.#cells.get(key);
    if (cell) cell.value = value;
    else this.#cells.set(key, { value });
  }

  delete(key: K): void {
    const cell = this.#cells.get(key);
    if (!cell) return;
    cell.value = undefined;
    this.#cells.delete(key);
  }

  /** Values in order of insertion, without those removed meanwhile. */
  *values(): Generator<V> {
    for (const { value } of this.#cells.values()) if (value) yield value;
  }
}
