import { ingestIn } from '../../deliveries/intake/intake.ts';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import * as triggerStore from '../store/triggers.ts';
import { type Firing, firingAt, nextFiring, type Schedule } from './schedules.ts';

const AT_ONCE = 100;

/** The payload of a schedule's event; `missed` is present only after downtime. */
export function firingPayload(schedule: Schedule, { scheduled_for, missed }: Firing) {
  const { cron_expression, timezone } = schedule;
  return { scheduled_for, cron_expression, timezone, ...(missed.length > 0 ? { missed } : {}) };
}

/** The columns about missed times, if the firing has any. */
function missedIn({ missed }: Firing): Partial<Pick<TriggersTable, 'missed_at' | 'missed'>> {
  const [first, last] = [missed[0], missed.at(-1)];
  return first ? { missed_at: now(), missed: JSON.stringify({ count: missed.length, first, last }) } : {};
}

/** Fires every schedule that is due. Returns the milliseconds until the next; undefined when there is none. */
export async function fireDue(services: Services): Promise<number | undefined> {
  const { committed, fired } = await services.db.transaction().execute(async (tx) => {
    const due = await triggerStore.lockDue(tx, AT_ONCE);
    // Use the clock of the claim: with a clock behind it, the same time would be the next one again.
    const at = new Date(due[0]?.looked_at ?? 0);
    const firings = due.map((trigger) => {
      const { account_id, trigger_id } = trigger;
      const schedule = scheduleOf(trigger);
      return { account_id, trigger_id, schedule, firing: firingAt(schedule, trigger.next_fire_at ?? '', at) };
    });
    const next = firings.map(({ account_id, trigger_id, schedule, firing }) => ({
      account_id,
      trigger_id,
      next_fire_at: nextFiring(schedule, at),
      ...missedIn(firing),
    }));
    if (next.length > 0) await triggerStore.setNextFirings(tx, next);
    const events = firings.map(({ schedule, firing, ...owner }) => ({
      ...owner,
      payload: firingPayload(schedule, firing),
    }));
    const stored = due.length > 0 ? await ingestIn(services, tx, 'schedule', events) : undefined;
    return { fired: due.length, committed: stored?.committed };
  });
  committed?.();
  if (fired === AT_ONCE) return 0;
  return (await triggerStore.untilNextDue(services.db)) ?? undefined;
}

export const scheduleOf = ({ parameters }: Pick<TriggersTable, 'parameters'>): Schedule =>
  JSON.parse(parameters) as Schedule;
