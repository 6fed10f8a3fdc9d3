/**
 * Session expiry while a page is open. Requests that got a 401 wait here while the Shell shows a sign-in dialog over
 * the page, which stays mounted with its form input. After the same user signs in, the waiting requests are sent again.
 * That is safe for mutations too, because the service rejected them before doing anything.
 */
let watching = 0;
let ended = false;
/** The time of the last sign-in: a 401 for a request sent before it does not concern the new session. */
let resumedMs = 0;
let over = Promise.withResolvers<void>();
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === ended) return;
  ended = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export const sessionEnd = {
  get: (): boolean => ended,
  subscribe: (onChange: () => void): (() => void) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
};

/** Enables the sign-in dialog while the Shell is mounted; returns the function that disables it. */
export function offerSignIn(): () => void {
  watching += 1;
  return () => {
    watching -= 1;
  };
}

/** Reports that the session has ended. */
export function noticeEnd(): void {
  if (watching > 0) set(true);
}

/** Resolves with true once the user has signed in again, with false if no Shell is mounted. Rejects on abort. */
export async function signedInAgain(sentMs: number, signal?: AbortSignal): Promise<boolean> {
  if (sentMs < resumedMs) return true;
  if (watching === 0) return false;
  set(true);
  await untilSignedIn(signal);
  return true;
}

/** Waits for the next sign-in. Rejects on abort. */
export async function untilSignedIn(signal?: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<never>();
  const leave = () => gone.reject(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  try {
    await Promise.race([over.promise, gone.promise]);
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

/** The same user has signed in again: sends the waiting requests. */
export function resume(): void {
  resumedMs = performance.now();
  over.resolve();
  over = Promise.withResolvers<void>();
  set(false);
}
