import { DRY_RUN_ITEMS } from '../../../contract/limits.ts';
import type { Input } from '../../../contract/operations.ts';
import type { DeliveryStatus } from '../../../contract/states.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Settings } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import * as gathering from '../store/replays/replay-gathering.ts';
import type { Candidate } from '../store/replays/replays.ts';

type Body = Input<'replayCreate'>['body'];

/** Maximum number of events of a replay, and the time limit of one search step. */
export type Bounds = { maxEvents: number; budgetMs: number };
/** Time limit of a search step, with and without a waiting caller: other replays and a pause wait until it ends. */
const BUDGET_MS = { awaited: 150, alone: 500 };
export const boundsOf = ({ replayMaxEvents }: Settings, look: keyof typeof BUDGET_MS): Bounds => ({
  maxEvents: replayMaxEvents,
  budgetMs: BUDGET_MS[look],
});

/** The events and deliveries that a request selects. A filter without conditions is rejected. */
export function selectionOf(body: Body): gathering.Selection {
  const { filter, destination_ids, only_failed, only_skipped, only_held, only_undelivered, missed_since } = body;
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
      undelivered: only_undelivered,
      missed_since: missed_since && toTimestamp(missed_since),
    },
  };
}

/**
 * Counts the events and deliveries of a replay, and returns the deliveries that would be sent first. If the time runs
 * out, the counts are minimums, and the deliveries are the oldest of those counted.
 */
export async function survey(
  db: Db,
  account_id: string,
  selection: gathering.Selection,
  { maxEvents, budgetMs }: Bounds,
) {
  const found = { events: 0, deliveries: 0 };
  let first: Candidate[] = [];
  const rest = await gathering.gather(
    db,
    account_id,
    selection,
    { before: undefined, budgetMs },
    async (candidates) => {
      const { events, deliveries } = await gathering.count(db, candidates);
      found.events += events;
      found.deliveries += deliveries;
      // Each stretch is older than the previous one.
      if (deliveries > 0)
        first = [...(await gathering.oldest(db, candidates, DRY_RUN_ITEMS)), ...first].slice(0, DRY_RUN_ITEMS);
      return found.events <= maxEvents;
    },
  );
  if (found.events > maxEvents) throw tooMany(maxEvents);
  return { ...found, first, at_least: rest !== null };
}

/** Creates items of a replay from where the last step stopped. The next step continues at `before`; null at the end. */
export async function collect(
  tx: Tx,
  replay: { account_id: string; replay_id: string; total: number; gather_before: string | null },
  selection: gathering.Selection,
  { maxEvents, budgetMs }: Bounds,
): Promise<{ total: number; gather_before: string | null; isTooMany: boolean }> {
  const { account_id, replay_id } = replay;
  let { total } = replay;
  let events: number | undefined;
  const from = { before: replay.gather_before ?? undefined, budgetMs };
  const gather_before = await gathering.gather(tx, account_id, selection, from, async (candidates) => {
    const made = await gathering.insertItems(tx, account_id, replay_id, candidates);
    total += made.deliveries;
    // An event has at least one delivery, so a small number of deliveries needs no count. Stretches share no events.
    if (events !== undefined) events += made.events;
    else if (total > maxEvents) events = await gathering.countEvents(tx, account_id, replay_id);
    return events === undefined || events <= maxEvents;
  });
  return { total, gather_before, isTooMany: events !== undefined && events > maxEvents };
}

export const tooManyMessage = (most: number) => `The filter matches more than ${most} events; nothing was sent.`;
export const tooMany = (most: number) => badRequest(`filter: expected at most ${most} matching events`);
