/** A custom retry schedule as text: `5 s, 5 min, 2 h`. */
import { RETRY_DELAYS_MAX, RETRY_SCHEDULE_SECONDS } from '../../../../../contract/limits.ts';

const SECONDS: Record<string, number> = { s: 1, min: 60, h: 3_600, d: 86_400 };
const DELAY = /^(\d{1,5})\s*(s|min|h|d)$/;
const DAY = 86_400;
/** The text for no retries. */
export const NEVER = 'none';

export type Delays = { readonly ok: true; readonly seconds: readonly number[] | null } | { ok: false; message: string };

/** Parses the field: empty is the default schedule (null), `none` has no retries. */
export function readDelays(text: string): Delays {
  const written = text.trim();
  if (written === '') return { ok: true, seconds: null };
  if (written.toLowerCase() === NEVER) return { ok: true, seconds: [] };
  const seconds: number[] = [];
  for (const each of written.split(/[,·;\n]+/).map((part) => part.trim())) {
    if (each === '') continue;
    const [, amount = '', unit = ''] = DELAY.exec(each.toLowerCase()) ?? [];
    const value = Number(amount) * (SECONDS[unit] ?? 0);
    if (unit === '') return { ok: false, message: `Enter a delay such as 30 s, 5 min or 2 h, not “${each}”.` };
    if (value < 1 || value > DAY) return { ok: false, message: `Enter 1 s to 1 d, not “${each}”.` };
    seconds.push(value);
  }
  if (seconds.length > RETRY_DELAYS_MAX) return { ok: false, message: `Enter at most ${RETRY_DELAYS_MAX} delays.` };
  return { ok: true, seconds };
}

/** The parser does not accept `1 h 30 min`, so each delay is written in the largest unit that divides it. */
export function writeDelays(seconds: readonly number[] | null): string {
  if (seconds === null) return '';
  return seconds.length === 0 ? NEVER : seconds.map(delayText).join(', ');
}

function delayText(seconds: number): string {
  const [unit, size] = Object.entries(SECONDS).findLast(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size} ${unit}`;
}

/** The effective delays: custom or default. */
export const delaysOf = (own: readonly number[] | null): readonly number[] => own ?? RETRY_SCHEDULE_SECONDS;

export const totalMs = (seconds: readonly number[]): number => seconds.reduce((sum, each) => sum + each, 0) * 1_000;
