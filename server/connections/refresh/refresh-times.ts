/**
 * When a connection's tokens are refreshed: 15 minutes before they expire, or after half of their lifetime if that is
 * shorter, and at least daily, because many providers expire unused refresh tokens. Tokens with a lifetime below two
 * minutes are refreshed on use only, since the worker would otherwise be busy with them.
 */
import { REFRESH_AHEAD_MINUTES, REFRESH_EVERY_HOURS } from '../../../contract/limits.ts';
import type { MethodOf } from '../auth-methods/method-of.ts';
import type { Credentials } from '../credentials.ts';

const MINUTE_MS = 60_000;
const AHEAD_MS = REFRESH_AHEAD_MINUTES * MINUTE_MS;
const DAILY_MS = REFRESH_EVERY_HOURS * 60 * MINUTE_MS;
const SHORT_LIVED_MS = 2 * MINUTE_MS;
/** Jitter, so that connections created together are not refreshed together. */
const JITTER = 0.1;

/** The time of the next refresh for tokens that were just received; null for never. */
export function refreshAt({ part, subject }: MethodOf, credentials: Credentials, nowMs = Date.now()): string | null {
  const { tokens } = credentials;
  if (!tokens || !part.refresh) return null;
  const endsMs = tokens.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(tokens.expires_at);
  const livesMs = endsMs - nowMs;
  // Without a refresh token, the worker runs at the expiry, to mark the connection as failed.
  if (part.canRefresh && !part.canRefresh(subject, credentials)) return Number.isFinite(endsMs) ? iso(endsMs) : null;
  const aheadMs = livesMs < SHORT_LIVED_MS ? Number.POSITIVE_INFINITY : endsMs - Math.min(AHEAD_MS, livesMs / 2);
  const dailyMs = tokens.refresh_token === null ? Number.POSITIVE_INFINITY : nowMs + early(DAILY_MS);
  const atMs = Math.min(aheadMs, dailyMs);
  return Number.isFinite(atMs) ? iso(atMs) : null;
}

/** The time of the next attempt after failures since `failing_since`: exponential backoff, one minute to one hour. */
export function retryAt(failing_since: string, nowMs = Date.now()): string {
  const waitMs = Math.min(Math.max(nowMs - Date.parse(failing_since), MINUTE_MS), 60 * MINUTE_MS);
  return iso(nowMs + early(waitMs));
}

const early = (ms: number) => ms * (1 - JITTER * Math.random());
const iso = (ms: number) => new Date(ms).toISOString();
