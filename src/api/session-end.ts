/**
 * The end of a session in an open page. A request that answers 401 waits here; the Shell shows a sign-in dialog over
 * the page, which stays mounted with everything typed in it. After signing in as the same person the waiting requests
 * are sent again: the service refused them before it did anything, so that is safe for changes, too.
 */
let watching = 0;
let ended = false;
/** When the person signed in again: a 401 of a request sent before says nothing about the new session. */
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

/** The Shell is shown, so somebody can sign in again, until the returned function is called. */
export function offerSignIn(): () => void {
  watching += 1;
  return () => {
    watching -= 1;
  };
}

/** Says that the session has ended. */
export function noticeEnd(): void {
  if (watching > 0) set(true);
}

/** Resolves once the person has signed in again; false where there is no page to do so in. Rejects with the signal. */
export async function signedInAgain(sentMs: number, signal?: AbortSignal): Promise<boolean> {
  if (sentMs < resumedMs) return true;
  if (watching === 0) return false;
  set(true);
  await untilSignedIn(signal);
  return true;
}

/** Waits for the next sign-in, or for the signal. */
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

/** The same person is signed in again: what waits is sent. */
export function resume(): void {
  resumedMs = performance.now();
  over.resolve();
  over = Promise.withResolvers<void>();
  set(false);
}
