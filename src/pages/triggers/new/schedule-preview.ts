/** Previews a schedule with the service's own library and rules, including clock changes. */
import { Cron } from 'croner';

const SHOWN = 10;
const HOUR_MS = 3_600_000;

export interface Firing {
  readonly at: Date;
  /** The local date and time in the zone: `Mon 2026-03-30 09:00`. */
  readonly local: string;
  /** The effect of a clock change on this firing. */
  readonly note: string | undefined;
}

export type Preview = { ok: true; firings: readonly Firing[] } | { ok: false; message: string };

const cronOf = (expression: string, timezone: string) => new Cron(expression, { timezone, mode: '5-part' });

/** The next firings after `now`, or why there are none. */
export function previewOf(expression: string, timezone: string, now: Date): Preview {
  if (expression.trim().split(/\s+/).length !== 5 || expression.includes('?')) {
    return { ok: false, message: 'Enter five fields: minute, hour, day of the month, month, day of the week.' };
  }
  try {
    const runs = cronOf(expression, timezone).nextRuns(SHOWN, now);
    if (runs.length === 0) return { ok: false, message: 'The schedule never fires.' };
    const walls = runs.map((at) => wallOf(at, timezone));
    return {
      ok: true,
      firings: runs.map((at, index) => ({
        at,
        local: walls[index] ?? '',
        note: noteOf(at, expression, timezone),
      })),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message: message.replace(/^CronPattern: /, '') };
  }
}

/** The local time in the zone. */
function wallOf(at: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('weekday')} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}

/** The local time read as UTC, to compute offsets. */
function wallMs(at: Date, timezone: string): number {
  return Date.parse(`${wallOf(at, timezone).slice(4).replace(' ', 'T')}:00Z`);
}

const offsetMs = (at: Date, timezone: string) => wallMs(at, timezone) - Math.floor(at.getTime() / 60_000) * 60_000;

function noteOf(at: Date, expression: string, timezone: string): string | undefined {
  const before = offsetMs(new Date(at.getTime() - 3 * HOUR_MS), timezone);
  const after = offsetMs(new Date(at.getTime() + 3 * HOUR_MS), timezone);
  if (before === after) return undefined;
  // a clock that goes forward skips such times: the schedule fires at the first time after the gap
  if (after > before) {
    const onClock = cronOf(expression, 'UTC').match(new Date(wallMs(at, timezone)));
    return onClock ? undefined : 'Clocks go forward: the scheduled time is skipped; the schedule fires right after.';
  }
  const twinMs = before - after;
  const wall = wallMs(at, timezone);
  const isFirst = wallMs(new Date(at.getTime() + twinMs), timezone) === wall;
  const isSecond = wallMs(new Date(at.getTime() - twinMs), timezone) === wall;
  if (!isFirst && !isSecond) return undefined;
  return `Clocks go back: this time occurs twice; the schedule fires the ${isFirst ? 'first' : 'second'} time.`;
}
