/**
 * When a connection's tokens are renewed. Ahead of their end: 15 minutes, or half of their life where that is shorter.
 * And at least daily, as an unused refresh token ends at many providers. Tokens that live for less than two
 * minutes are renewed when they are needed, or a worker would do nothing else.
 */
import { REFRESH_AHEAD_MINUTES, REFRESH_EVERY_HOURS } from '../../../contract/limits.ts';
import type { MethodOf } from '../auth-methods/method-of.ts';
import type { Credentials } from '../credentials.ts';

const MINUTE_MS = 60_000;
const AHEAD_MS = REFRESH_AHEAD_MINUTES * MINUTE_MS;
const DAILY_MS = REFRESH_EVERY_HOURS * 60 * MINUTE_MS;
const SHORT_LIVED_MS = 2 * MINUTE_MS;
/** So that connections made in one go aren't renewed in one go. */
const JITTER = 0.1;

/** The next time for the refresher to look at it, from what was just received; null for never. */
export function refreshAt({ part, subject }: MethodOf, credentials: Credentials, nowMs = Date.now()): string | null {
  const { tokens } = credentials;
  if (!tokens || !part.renew) return null;
  const endsMs = tokens.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(tokens.expires_at);
  const livesMs = endsMs - nowMs;
  // Nothing can be done before its end, and at its end the connection has to say so.
  if (part.renews && !part.renews(subject, credentials)) return Number.isFinite(endsMs) ? iso(endsMs) : null;
  const aheadMs = livesMs < SHORT_LIVED_MS ? Number.POSITIVE_INFINITY : endsMs - Math.min(AHEAD_MS, livesMs / 2);
  const dailyMs = tokens.refresh_token === null ? Number.POSITIVE_INFINITY : nowMs + early(DAILY_MS);
  const atMs = Math.min(aheadMs, dailyMs);
  return Number.isFinite(atMs) ? iso(atMs) : null;
}

/** When to try again what has been failing since: after as long again, from a minute to an hour. */
export function retryAt(failing_since: string, nowMs = Date.now()): string {
  const waitMs = Math.min(Math.max(nowMs - Date.parse(failing_since), MINUTE_MS), 60 * MINUTE_MS);
  return iso(nowMs + early(waitMs));
}

const early = (ms: number) => ms * (1 - JITTER * Math.random());
const iso = (ms: number) => new Date(ms).toISOString();
