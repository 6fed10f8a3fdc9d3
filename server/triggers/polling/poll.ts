/**
 * Polling of sources that don't push. `next_poll_at` is the time of a trigger's next poll, `position` the items read so
 * far. A node claims the triggers that are due by moving `next_poll_at`, requests the source without a lock, and stores
 * the new items as events, with the new position, in one transaction. If another node polled meanwhile (`next_poll_at`
 * differs), nothing is stored. So each item becomes one event, on any node, and after a crash the next poll repeats the
 * request.
 *
 * Items older than the trigger are only recorded in the position. Failed polls are retried with backoff, up to one
 * hour; after three days of failures the trigger is disabled with SOURCE_REJECTED. While its URL resolves to a private
 * address, the trigger has the reason BLOCKED_ADDRESS.
 */

import { appLabel } from '../../connections/apps/app-label.ts';
import { ingestIn } from '../../deliveries/intake/intake.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { TriggersTable } from '../../platform/database/schema.ts';
import * as store from '../store/polls.ts';
import * as triggerStore from '../store/triggers.ts';
import { readFeed } from './feed.ts';
import { type PollParameters, readItems } from './json-items.ts';
import { advance, readPosition, type Step } from './position.ts';
import { PollTrouble } from './trouble.ts';

export const FEED_SOURCE = 'rss';
export const POLL_SOURCE = 'poll';

const AT_ONCE = 8;
const LEASE_MS = 120_000;
const LONGEST_PAUSE_MS = 3_600_000;
const GIVE_UP_MS = 3 * 86_400_000;

type Parameters = { every_minutes: number } & ({ url: string } | PollParameters);

export const isPolled = (source: string): boolean => source === FEED_SOURCE || source === POLL_SOURCE;

/** Polls all triggers that are due; returns the milliseconds until the next. */
export async function pollDue(services: Services): Promise<number | undefined> {
  const due = await store.claim(services.db, fromNow(LEASE_MS), AT_ONCE);
  await Promise.all(
    due.map((trigger) =>
      poll(services, trigger).catch((error: unknown) =>
        services.log.error({ err: error, trigger_id: trigger.trigger_id }, 'trigger could not be polled'),
      ),
    ),
  );
  if (due.length === AT_ONCE) return 0;
  return (await store.untilNext(services.db)) ?? undefined;
}

async function poll(services: Services, trigger: TriggersTable): Promise<void> {
  const parameters = JSON.parse(trigger.parameters) as Parameters;
  let step: Step | 'unchanged';
  try {
    step = await look(services, trigger, parameters);
  } catch (error) {
    if (!(error instanceof PollTrouble || error instanceof Failure)) throw error;
    const isBlocked = error instanceof PollTrouble && error.isBlocked;
    return noteTrouble(services, trigger, parameters, { message: error.message, isBlocked });
  }
  const { account_id, trigger_id } = trigger;
  const everyMs = parameters.every_minutes * 60_000;
  const stored = await services.db.transaction().execute(async (tx) => {
    const current = await triggerStore.lock(tx, account_id, trigger_id);
    if (current?.next_poll_at !== trigger.next_poll_at) return undefined;
    const fresh = step === 'unchanged' ? [] : step.fresh;
    const events = fresh.map(({ payload }) => ({ account_id, trigger_id, payload }));
    const ingested = events.length > 0 ? await ingestIn(services, tx, appLabel(trigger.source), events) : undefined;
    await triggerStore.update(tx, account_id, trigger_id, {
      next_poll_at: fromNow(step !== 'unchanged' && step.more ? 0 : everyMs),
      failing_since: null,
      ...reasonOf(current, false),
      ...(step === 'unchanged' ? {} : { position: JSON.stringify(step.position) }),
    });
    return { committed: ingested?.committed, isUnblocked: current.reason === 'BLOCKED_ADDRESS' };
  });
  stored?.committed?.();
  if (stored?.isUnblocked) services.changed(account_id, { noun: 'trigger', trigger_id });
}

/** A blocked URL is the trigger's reason until the next poll with another result. */
function reasonOf({ reason }: TriggersTable, isBlocked: boolean): Partial<Pick<TriggersTable, 'reason'>> {
  if (isBlocked) return { reason: 'BLOCKED_ADDRESS' };
  return reason === 'BLOCKED_ADDRESS' ? { reason: null } : {};
}

async function look(services: Services, trigger: TriggersTable, parameters: Parameters): Promise<Step | 'unchanged'> {
  const position = readPosition(trigger.position);
  if ('url' in parameters) {
    const feed = await readFeed(services.egress, parameters.url, position);
    return feed === 'unchanged' ? feed : advance(position, feed.items, feed.marks);
  }
  const { account_id, connection_id } = trigger;
  const app = connection_id && (await store.appOf(services.db, account_id, connection_id));
  if (!connection_id || !app) throw new PollTrouble('The connection was deleted.');
  const items = await readItems(services, account_id, app, connection_id, parameters);
  return advance(position, items, { etag: null, last_modified: null });
}

async function noteTrouble(
  services: Services,
  trigger: TriggersTable,
  { every_minutes }: Parameters,
  { message, isBlocked }: { message: string; isBlocked: boolean },
): Promise<void> {
  const { account_id, trigger_id } = trigger;
  const failing_since = trigger.failing_since ?? now();
  const failingMs = Date.now() - Date.parse(failing_since);
  const gone = failingMs >= GIVE_UP_MS;
  const pauseMs = Math.max(every_minutes * 60_000, Math.min(failingMs, LONGEST_PAUSE_MS));
  services.log.warn({ trigger_id, failing_since, reason: message }, 'source could not be read');
  const changed = await services.db.transaction().execute(async (tx) => {
    const current = await triggerStore.lock(tx, account_id, trigger_id);
    if (current?.next_poll_at !== trigger.next_poll_at) return false;
    await triggerStore.update(tx, account_id, trigger_id, {
      failing_since,
      hook: JSON.stringify({ message }),
      next_poll_at: gone ? null : fromNow(pauseMs),
      ...reasonOf(current, isBlocked),
      ...(gone ? { status: 'DISABLED' as const, reason: 'SOURCE_REJECTED' as const, updated_at: now() } : {}),
    });
    return true;
  });
  if (changed) services.changed(account_id, { noun: 'trigger', trigger_id });
}
