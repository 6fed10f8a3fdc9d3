/**
 * A Map for what comes and goes with every call. A Map of JavaScript moves to a new table again and again where much is
 * added and removed, and each table leads to the next: once one of them has grown old, whatever any later one held
 * counts as alive until the next full collection, with all that hangs on it. Here tables hold cells, which are emptied.
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

  /** In the order in which they came; what is taken away meanwhile is left out. */
  *values(): Generator<V> {
    for (const { value } of this.#cells.values()) if (value) yield value;
  }
}
