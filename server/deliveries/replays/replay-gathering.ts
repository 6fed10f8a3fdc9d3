import { DRY_RUN_ITEMS } from '../../../contract/limits.ts';
import type { Input } from '../../../contract/operations.ts';
import type { DeliveryStatus } from '../../../contract/states.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Settings } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import * as gathering from '../store/replay-gathering.ts';
import type { Candidate } from '../store/replays.ts';

type Body = Input<'replayCreate'>['body'];

/** How many events a replay may be about, and for how long one look searches for them. */
export type Bounds = { maxEvents: number; budgetMs: number };
/** Time limit of a look, with and without a waiting caller: other replays and a pause wait until it ends. */
const BUDGET_MS = { awaited: 150, alone: 500 };
export const boundsOf = ({ replayMaxEvents }: Settings, look: keyof typeof BUDGET_MS): Bounds => ({
  maxEvents: replayMaxEvents,
  budgetMs: BUDGET_MS[look],
});

/** What a request for a replay is about. A filter without a condition is refused. */
export function wishOf(body: Body): gathering.Wish {
  const { filter, destination_ids, only_failed, only_skipped, only_held, missed_since } = body;
  if (Object.values(filter).every((value) => value === undefined))
    throw badRequest('filter: expected at least one condition');
  const { received_after, received_before, ...rest } = filter;
  const statuses: DeliveryStatus[] = [
    ...(only_failed ? ['FAILED' as const] : []),
    ...(only_skipped ? ['SKIPPED' as const] : []),
  ];
  return {
    filter: {
      ...rest,
      or_held: only_held === true && only_failed === true && filter.status === 'FAILED',
      received_after: received_after && toTimestamp(received_after),
      received_before: received_before && toTimestamp(received_before),
    },
    choice: {
      destination_ids,
      statuses: statuses.length > 0 ? statuses : undefined,
      held: only_held,
      missed_since: missed_since && toTimestamp(missed_since),
    },
  };
}

/**
 * How many events and deliveries a replay would be about, and those that would go out first. Where time runs out it is
 * at least this many, and those shown are the oldest of the ones that were counted.
 */
export async function survey(db: Db, account_id: string, wish: gathering.Wish, { maxEvents, budgetMs }: Bounds) {
  const found = { events: 0, deliveries: 0 };
  let first: Candidate[] = [];
  const rest = await gathering.gather(db, account_id, wish, { before: undefined, budgetMs }, async (candidates) => {
    const { events, deliveries } = await gathering.count(db, candidates);
    found.events += events;
    found.deliveries += deliveries;
    // Each stretch is older than the one before.
    if (deliveries > 0)
      first = [...(await gathering.oldest(db, candidates, DRY_RUN_ITEMS)), ...first].slice(0, DRY_RUN_ITEMS);
    return found.events <= maxEvents;
  });
  if (found.events > maxEvents) throw tooMany(maxEvents);
  return { ...found, first, at_least: rest !== null };
}

/** Makes items of a replay from where the last look stopped. The next look continues at `before`; null at the end. */
export async function collect(
  tx: Tx,
  replay: { account_id: string; replay_id: string; total: number; gather_before: string | null },
  wish: gathering.Wish,
  { maxEvents, budgetMs }: Bounds,
): Promise<{ total: number; gather_before: string | null; isTooMany: boolean }> {
  const { account_id, replay_id } = replay;
  let { total } = replay;
  let events: number | undefined;
  const from = { before: replay.gather_before ?? undefined, budgetMs };
  const gather_before = await gathering.gather(tx, account_id, wish, from, async (candidates) => {
    const made = await gathering.insertItems(tx, account_id, replay_id, candidates);
    total += made.deliveries;
    // An event has one delivery or more, so few deliveries need no count. No event comes in two stretches.
    if (events !== undefined) events += made.events;
    else if (total > maxEvents) events = await gathering.countEvents(tx, account_id, replay_id);
    return events === undefined || events <= maxEvents;
  });
  return { total, gather_before, isTooMany: events !== undefined && events > maxEvents };
}

export const tooManyWords = (most: number) => `The filter matches more than ${most} events; nothing was sent.`;
export const tooMany = (most: number) => badRequest(`filter: expected at most ${most} matching events`);
