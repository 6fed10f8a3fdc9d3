import type { Finding, Observe } from '../condition.ts';
import * as conditions from '../store/conditions.ts';
import * as store from '../store/triggers.ts';
import { plural, quoted, spelled } from '../wording.ts';

const KEY = 'schedule:missed';
const READ_MAX = 1_000;
const LISTED_MAX = 20;
/** How long to wait for schedules that have not fired since the downtime. */
const WAIT_MS = 10_000;

type Times = { count: number; first: string; last: string };

/** Schedules missed their times. One event for all of a downtime: it waits until the overdue ones have fired. */
export const observeSchedules: Observe = async ({ tx, account_id, trigger, watching_since }) => {
  const [before] = await conditions.withKeys(tx, account_id, trigger.trigger_id, [KEY]);
  const since = before && before.since > watching_since ? before.since : watching_since;
  const missed = await store.missedSince(tx, account_id, since, READ_MAX);
  const [oldest] = missed;
  if (!oldest) return { findings: [], calm: [] };
  const isRecent = Date.now() - Date.parse(oldest.missed_at) < WAIT_MS;
  if (isRecent && (await store.hasOverdue(tx, account_id))) return { findings: [], calm: [] };
  return { findings: [found(missed, oldest)], calm: [] };
};

function found(missed: store.Missed[], oldest: store.Missed): Finding {
  const schedules = missed.map(({ trigger_id, name, missed: times }) => ({
    trigger_id,
    name,
    ...(JSON.parse(times) as Times),
  }));
  const count = schedules.reduce((sum, each) => sum + each.count, 0);
  const first = schedules.map((each) => each.first).reduce((a, b) => (a < b ? a : b));
  const last = schedules.map((each) => each.last).reduce((a, b) => (a > b ? a : b));
  const isOne = schedules.length === 1;
  const times = plural(count, 'time');
  return {
    key: KEY,
    // The position in `missed_at`, so that each schedule is reported once.
    since: missed.at(-1)?.missed_at ?? oldest.missed_at,
    state: 'happened',
    isMoment: true,
    notice: {
      type: 'schedule.missed',
      severity: 'warning',
      title: isOne
        ? `Schedule ${quoted(oldest.name)} missed ${times}`
        : `${schedules.length} schedules missed ${times}`,
      text: `${times} from ${spelled(first)} to ${spelled(last)} passed without an event. Each schedule fired once since, with its missed times in the event.`,
      path: isOne ? `/triggers/${oldest.trigger_id}/events` : '/triggers?source=schedule',
      resource: { kind: 'trigger', id: oldest.trigger_id, name: oldest.name },
      count,
      details: { schedules: schedules.slice(0, LISTED_MAX), schedule_count: schedules.length, first, last },
    },
  };
}
