/** Firing times of schedules. Expressions are those of croner: five fields, with L, # and names, in a time zone. */
import { Cron } from 'croner';
import { badRequest } from '../../lib/failure.ts';

export const SCHEDULE_SOURCE = 'schedule';

export type Schedule = { cron_expression: string; timezone: string };
/** A firing: its time, and the missed times before it. */
export type Firing = { scheduled_for: string; missed: string[] };

const MISSED_MAX = 1000;

/** Rejects an expression that is invalid or never fires; the error names the parameter. */
export function checkSchedule({ cron_expression, timezone }: Schedule): void {
  if (!isTimezone(timezone)) {
    throw badRequest(`parameters.timezone: expected an IANA time zone such as Europe/Berlin, got "${timezone}"`);
  }
  const expected = 'parameters.cron_expression: expected five fields (minute hour day month weekday)';
  if (cron_expression.length > 200 || cron_expression.trim().split(/\s+/).length !== 5) throw badRequest(expected);
  // croner replaces ? with the time of parsing, so every restart would move the schedule.
  if (cron_expression.includes('?')) throw badRequest(`${expected}; ? is not one of them, use *`);
  let next: Date | null;
  try {
    next = cronOf({ cron_expression, timezone }).nextRun();
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw badRequest(`${expected}; ${why}`);
  }
  if (next === null) throw badRequest(`parameters.cron_expression: "${cron_expression}" never fires`);
}

/** The first firing after a time; null without one. */
export function nextFiring(schedule: Schedule, after: Date): string | null {
  const next = cronOf(schedule).nextRun(after);
  return next === null ? null : moment(next);
}

/**
 * The firing of a schedule that was due at `dueAt`: one, for the latest past time. The earlier times since `dueAt` are
 * its `missed` (the last thousand).
 */
export function firingAt(schedule: Schedule, dueAt: string, now: Date): Firing {
  const cron = cronOf(schedule);
  const due = new Date(dueAt);
  // The reference itself doesn't count as a previous run.
  const until = new Date(now.getTime() + 1);
  // Each run costs tens of microseconds, so look back in growing steps until `dueAt`.
  for (let count = 1; ; count = Math.min(count * 8, MISSED_MAX + 1)) {
    const runs = cron.previousRuns(count + 1, until).sort((a, b) => a.getTime() - b.getTime());
    const passed = runs.filter((run) => run >= due).slice(-MISSED_MAX - 1);
    if (passed.length > count && count <= MISSED_MAX) continue;
    const latest = passed.pop() ?? due;
    return { scheduled_for: moment(latest), missed: passed.map(moment) };
  }
}

const cronOf = ({ cron_expression, timezone }: Schedule) => new Cron(cron_expression, { timezone, mode: '5-part' });

const moment = (date: Date) => date.toISOString().replace('Z', '000Z');

function isTimezone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
