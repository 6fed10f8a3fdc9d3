let lastUs = 0;

/** Now, as ISO 8601 UTC with six fractional digits, later than every earlier answer of this process. */
export function now(): string {
  lastUs = Math.max(Date.now() * 1000, lastUs + 1);
  return timestamp(lastUs);
}

/** The moment `ms` milliseconds after (or before) now, in the same form; not made monotonic. */
export function fromNow(ms: number): string {
  return timestamp((Date.now() + ms) * 1000);
}

/** A moment that was noted by the millisecond, in the same form. */
export function timestampAt(ms: number): string {
  return timestamp(ms * 1000);
}

/** Any point in time a client wrote, in the same form; outside the years 1 to 9999 it is moved to their edge. */
export function toTimestamp(text: string): string {
  const atMs = Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS);
  // Date knows milliseconds only; ours have three digits more, and come back as a filter.
  const micros = text.match(/\.\d{3}(\d{1,3})/)?.[1] ?? '';
  return `${new Date(atMs).toISOString().slice(0, -1)}${micros.padEnd(3, '0')}Z`;
}

/** PostgreSQL has no year 0, and years of five digits are rarely supported. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The last second that was spelled: the next moment is often within it, and the rest is a number. */
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
