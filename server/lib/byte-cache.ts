/** A least-recently-used cache with a limit on the total size. */
export type ByteCache<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V, sizeBytes: number): void;
};

export function createByteCache<V>(maxBytes: number): ByteCache<V> {
  const entries = new Map<string, { value: V; sizeBytes: number }>();
  let totalBytes = 0;

  const drop = (key: string) => {
    totalBytes -= entries.get(key)?.sizeBytes ?? 0;
    entries.delete(key);
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, sizeBytes) {
      drop(key);
      if (sizeBytes > maxBytes) return;
      entries.set(key, { value, sizeBytes });
      totalBytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
