/**
 * A user preference (theme, time zone) in local storage, shared by all tabs, as a store for React. If storage is
 * disabled, it is kept in memory.
 */
export interface Preference<T extends string> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (onChange: () => void) => () => void;
}

export function preference<T extends string>(key: string, allowed: readonly T[], initial: T): Preference<T> {
  const listeners = new Set<() => void>();
  let value = read() ?? initial;

  function read(): T | undefined {
    try {
      const stored = localStorage.getItem(key);
      return allowed.find((candidate) => candidate === stored);
    } catch {
      return undefined;
    }
  }

  function change(next: T) {
    if (next === value) return;
    value = next;
    for (const listener of listeners) listener();
  }

  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.key === key || event.key === null) change(read() ?? initial);
    });
  }

  return {
    get: () => value,
    set: (next) => {
      try {
        localStorage.setItem(key, next);
      } catch {
        // kept in memory only
      }
      change(next);
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
