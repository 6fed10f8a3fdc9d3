import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { noticeEnd } from './session-end.ts';

/** Only streamed calls get here with a 401: requests of `send` wait for the sign-in (session-end.ts). */
function noticeSignOut(error: unknown) {
  if (error instanceof ApiError && error.status === 401) noticeEnd();
}

/** Whether a retry makes sense: no response, rate limited, or a server error. */
function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * The cache of API replies. The live stream invalidates entries (live.ts), so they need no short TTL. A stale time of
 * ten seconds keeps data that a hover preloaded until the click.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => isRetryable(error) && failures < 2,
      retryDelay: (failures, error) =>
        (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(400 * 2 ** failures, 4_000),
    },
  },
});
