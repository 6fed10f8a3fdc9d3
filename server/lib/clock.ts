let lastUs = 0;

/** The current time as ISO 8601 UTC with six fractional digits, strictly increasing within this process. */
export function now(): string {
  lastUs = Math.max(Date.now() * 1000, lastUs + 1);
  return timestamp(lastUs);
}

/** The time `ms` milliseconds after (or before) now, in the same form; not monotonic. */
export function fromNow(ms: number): string {
  return timestamp((Date.now() + ms) * 1000);
}

/** A Unix time in milliseconds, in the same form. */
export function timestampAt(ms: number): string {
  return timestamp(ms * 1000);
}

/** A timestamp of a client, in the same form; clamped to the years 1 to 9999. */
export function toTimestamp(text: string): string {
  const atMs = Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS);
  // Date has milliseconds; timestamps of the service have three more digits, which clients send back in filters.
  const micros = text.match(/\.\d{3}(\d{1,3})/)?.[1] ?? '';
  return `${new Date(atMs).toISOString().slice(0, -1)}${micros.padEnd(3, '0')}Z`;
}

/** PostgreSQL has no year 0, and years with five digits are rarely supported. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Cache of the last formatted second: the next timestamp is often within it. */
let second = Number.NaN;
let spelledSecond = '';

function timestamp(us: number): string {
  const inSecond = Math.floor(us / 1_000_000);
  if (inSecond !== second) {
    spelledSecond = new Date(inSecond * 1000).toISOString().slice(0, -4);
    second = inSecond;
  }
  return `${spelledSecond}${String(us - inSecond * 1_000_000).padStart(6, '0')}Z`;
}
