import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { noticeEnd } from './session-end.ts';

/** Only streams and parts come here with a 401: what `send` asks waits for the sign-in (session-end.ts). */
function noticeSignOut(error: unknown) {
  if (error instanceof ApiError && error.status === 401) noticeEnd();
}

/** Worth another try: no answer, too many at once, or a failure of the service itself. */
function passes(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * Everything the console knows of the service. The live stream says what changed (live.ts), so nothing is asked again
 * only because time went by; ten seconds keep what a hover preloaded until the click.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => passes(error) && failures < 2,
      retryDelay: (failures, error) =>
        (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(400 * 2 ** failures, 4_000),
    },
  },
});
