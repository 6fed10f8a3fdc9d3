/** Words of notices. */

const NAME_CHARS = 80;
const ERROR_CHARS = 500;

/** A name in quotation marks, without line breaks. */
export const quoted = (name: string): string => `“${cut(name.replaceAll(/\s+/g, ' ').trim(), NAME_CHARS)}”`;

/** `2026-01-05 09:00 UTC` */
export const spelled = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const inARow = (count: number): string => (count === 1 ? '' : ' in a row');

/** ` Last error: …`, or nothing. */
export function lastError(message: string | null | undefined): string {
  if (!message) return '';
  const text = cut(message.trim(), ERROR_CHARS);
  return ` Last error: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
}

/** The error as a member of the payload. */
export const shortened = (message: string | null | undefined): string | null =>
  message ? cut(message.trim(), ERROR_CHARS) : null;

const UNITS: [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `5 minutes`: the time since then, in its largest whole unit. */
export function durationSince(timestamp: string, nowMs = Date.now()): string {
  const seconds = Math.max(1, Math.round((nowMs - Date.parse(timestamp)) / 1000));
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second'];
  return plural(Math.floor(seconds / size), unit);
}

/** `4.1 GB` */
export function bytesIn(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed()}…`;
}
