/** Whether the page receives live changes from the service. `connecting` only before the first response. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

const listeners = new Set<() => void>();
let state: LiveState = 'connecting';

/** For useSyncExternalStore. Only live.ts sets it. */
export const liveState = {
  get: (): LiveState => state,
  set: (next: LiveState): void => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  },
  subscribe: (onChange: () => void): (() => void) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
};
