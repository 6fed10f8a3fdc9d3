/**
 * Lists by the id of what they belong to, in the browser's storage and readable by React. Where storage is forbidden or
 * full they last as long as the page.
 */
export type KeptLists<T> = Readonly<Record<string, readonly T[]>>;

export function keptLists<T>(key: string, isOne: (value: unknown) => value is T) {
  const listeners = new Set<() => void>();
  const none: readonly T[] = [];
  let known: { readonly text: string | null; readonly kept: KeptLists<T> } = { text: null, kept: {} };

  function read(): KeptLists<T> {
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
    write(kept: KeptLists<T>): void {
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

/** Written by another version of the console, or by hand, it may be anything. */
export function listsIn<T>(text: string | null, isOne: (value: unknown) => value is T): KeptLists<T> {
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

/** Whether a header of this name looks as if its value must not be kept. */
export const looksSecret = (header: string): boolean => SECRET.test(header);
