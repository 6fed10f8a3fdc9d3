/** A number from here on is a time in seconds since 1970, one from here × 1000 on in milliseconds. */
const SINCE_1970 = 1e9;
/** A year of more than four digits means that the token does not expire. */
const NEVER_MS = Date.UTC(10_000, 0);

/**
 * The expiry that a response states, as ISO 8601: seconds from now, seconds or milliseconds since 1970, or a timestamp;
 * null if it is none of these, or the token does not expire.
 */
export function expiryOf(stated: unknown, nowMs = Date.now()): string | null {
  const number = typeof stated === 'string' && /^\d+$/.test(stated) ? Number(stated) : stated;
  const atMs = typeof number === 'number' ? msOf(number, nowMs) : Date.parse(String(number));
  return Math.abs(atMs) < NEVER_MS ? new Date(atMs).toISOString() : null;
}

function msOf(number: number, nowMs: number): number {
  if (number < SINCE_1970) return nowMs + number * 1000;
  return number < SINCE_1970 * 1000 ? number * 1000 : number;
}
