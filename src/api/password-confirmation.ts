/**
 * Requests for which the password must be confirmed first. They wait here while a dialog asks for it, and are sent
 * again. That is safe for mutations too, because the service rejected them before doing anything.
 */
type Asked = { answer: (confirmed: boolean) => void; confirmed: Promise<boolean> };

let asked: Asked | undefined;
const listeners = new Set<() => void>();

/** For useSyncExternalStore: the open question. */
export const passwordConfirmation = {
  get: (): Asked | undefined => asked,
  subscribe: (onChange: () => void): (() => void) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
};

/** Asks for the password, as soon as the dialog has loaded; false if it was closed. */
export function passwordConfirmed(): Promise<boolean> {
  if (!asked) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (confirmed: boolean) => {
      set(undefined);
      resolve(confirmed);
    };
    set({ answer, confirmed: promise });
  }
  return asked?.confirmed ?? Promise.resolve(false);
}

function set(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}
