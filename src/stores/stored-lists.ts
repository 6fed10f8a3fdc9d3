/**
 * Lists in local storage, keyed by the id of their owner, as a store for React. If storage is disabled or full, they
 * are kept in memory.
 */
export type StoredLists<T> = Readonly<Record<string, readonly T[]>>;

export function storedLists<T>(key: string, isOne: (value: unknown) => value is T) {
  const listeners = new Set<() => void>();
  const none: readonly T[] = [];
  let known: { readonly text: string | null; readonly kept: StoredLists<T> } = { text: null, kept: {} };

  function read(): StoredLists<T> {
    let text: string | null = null;
    try {
      text = localStorage.getItem(key);
    } catch {
      return known.kept;
    }
    if (text !== known.text) known = { text, kept: listsIn(text, isOne) };
    return known.kept;
  }

  return {
    read,
    of: (id: string): readonly T[] => read()[id] ?? none,
    write(kept: StoredLists<T>): void {
      const text = JSON.stringify(kept);
      try {
        localStorage.setItem(key, text);
        known = { text, kept };
      } catch {
        known = { ...known, kept };
      }
      for (const listener of listeners) listener();
    },
    subscribe(onChange: () => void): () => void {
      listeners.add(onChange);
      window.addEventListener('storage', onChange);
      return () => {
        listeners.delete(onChange);
        window.removeEventListener('storage', onChange);
      };
    },
  };
}

/** Validates the stored value, which another version of the console may have written. */
export function listsIn<T>(text: string | null, isOne: (value: unknown) => value is T): StoredLists<T> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([id, list]) => [id, Array.isArray(list) ? list.filter(isOne) : []]),
    );
  } catch {
    return {};
  }
}

const SECRET = /auth|cookie|token|secret|password|signature|(?:^|-)key$|api-?key/i;

/** Whether a header name suggests a secret value, which must not be stored. */
export const looksSecret = (header: string): boolean => SECRET.test(header);
