/** Formats numbers, sizes, durations, times and ids. All functions are pure. */

export type TimeZone = 'utc' | 'local';

const count = new Intl.NumberFormat('en-US');

/** `48210` → `48,210`. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** A share between 0 and 1 → `2.1 %`; from 10 % on without decimals. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  return `${percent !== 0 && percent < 99.95 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** `2150` → `2.1 KB`. Powers of 1024, like the limits. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A measured time: `0.4 ms`, `812 ms`, `1,204 ms`, `15.0 s`, `2 min 05 s`, `1 h 59 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${count.format(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return formatSpan(ms);
}

/** A duration in at most two units: `12 s`, `4 min 10 s`, `1 h 59 min`, `3 d 4 h`. */
export function formatSpan(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  const two = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
  if (s < 3600) return two(Math.floor(s / 60), 'min', s % 60, 's');
  if (s < 86_400) return two(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min');
  return two(Math.floor(s / 86_400), 'd', Math.floor((s % 86_400) / 3600), 'h');
}

/** The distance from `now` to `at` in one unit: `just now`, `4 s ago`, `36 min ago`, `in 2 h`. */
export function formatRelative(at: Date, now: number): string {
  const distanceMs = at.getTime() - now;
  const s = Math.round(Math.abs(distanceMs) / 1000);
  if (s < 2) return distanceMs > 0 ? 'now' : 'just now';
  const span =
    s < 60
      ? `${s} s`
      : s < 3600
        ? `${Math.floor(s / 60)} min`
        : s < 86_400
          ? `${Math.floor(s / 3600)} h`
          : `${Math.floor(s / 86_400)} d`;
  return distanceMs > 0 ? `in ${span}` : `${span} ago`;
}

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

function parts(at: Date, zone: TimeZone) {
  const shifted = zone === 'utc' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  const iso = shifted.toISOString();
  return { date: iso.slice(0, 10), clock: iso.slice(11, 19), ms: iso.slice(20, 23) };
}

/** `14:03:22`, with `precise` `14:03:22.118`. */
export function formatClock(at: Date, zone: TimeZone, precise = false): string {
  const { clock, ms } = parts(at, zone);
  return precise ? `${clock}.${ms}` : clock;
}

/** `2026-11-21 14:03:22 UTC` or `2026-11-21 15:03:22 +01:00`: date, time and zone. */
export function formatAbsolute(at: Date, zone: TimeZone, precise = false): string {
  const { date } = parts(at, zone);
  return `${date} ${formatClock(at, zone, precise)} ${zone === 'utc' ? 'UTC' : offset(at)}`;
}

function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** Truncates an id in the middle: `019aa6c1…6c13`. Short ids are not truncated. */
export function middleCut(id: string, head = 8, tail = 4): string {
  return id.length <= head + tail + 1 ? id : `${id.slice(0, head)}…${id.slice(-tail)}`;
}

/** `RETRYING` → `Retrying`, `REFRESH_REJECTED` → `Refresh rejected`: an enum value in sentence case. */
export function sentenceCase(word: string): string {
  const spaced = word.replaceAll('_', ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** `1 file`, `3 files`; pass `many` for irregular plurals. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count.format(n)} ${n === 1 ? one : many}`;
}
