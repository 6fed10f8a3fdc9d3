import { DRY_RUN_ITEMS } from '../../../contract/limits.ts';
import type { Input } from '../../../contract/operations.ts';
import type { DeliveryStatus, LeftOut } from '../../../contract/states.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Settings } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import * as problemStore from '../store/replays/problem-deliveries.ts';
import * as gathering from '../store/replays/replay-gathering.ts';
import type { Candidate } from '../store/replays/replays.ts';

/** The stored request of a replay: a request of the API, or one of a problem. */
export type ReplayRequest = Input<'replayCreate'>['body'] & {
  problem?: (problemStore.ProblemSource & { title: string }) | undefined;
  after_canary?: 'CONTINUE' | 'PAUSE' | undefined;
};
/** Deliveries and failures that are left out, by reason. */
export type LeftOutCounts = Partial<Record<LeftOut, number>>;

/** Maximum number of events of a replay, and the time limit of one search step. */
export type Bounds = { maxEvents: number; budgetMs: number };
/** Time limit of a search step, with and without a waiting caller: other replays and a pause wait until it ends. */
const BUDGET_MS = { awaited: 150, alone: 500 };
export const boundsOf = ({ replayMaxEvents }: Settings, look: keyof typeof BUDGET_MS): Bounds => ({
  maxEvents: replayMaxEvents,
  budgetMs: BUDGET_MS[look],
});

/** The events and deliveries that a request selects. A filter without conditions is rejected. */
export function selectionOf(body: ReplayRequest): gathering.Selection {
  const { filter, destination_ids, only_failed, only_skipped, only_held, only_undelivered, missed_since } = body;
  if (body.problem) return { filter: {}, choice: {}, problem: body.problem };
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

type Collected = { total: number; gather_before: string | null; left_out: string | null; isTooMany: boolean };

/** Creates items of a replay from where the last step stopped. The next step continues at `before`; null at the end. */
export async function collect(
  tx: Tx,
  replay: {
    account_id: string;
    replay_id: string;
    total: number;
    gather_before: string | null;
    left_out: string | null;
  },
  selection: gathering.Selection,
  { maxEvents, budgetMs }: Bounds,
): Promise<Collected> {
  const { account_id, replay_id } = replay;
  const { problem } = selection;
  const leftOut = problem ? await leftOutOf(tx, replay, problem) : undefined;
  let { total } = replay;
  let events: number | undefined;
  const from = { before: replay.gather_before ?? undefined, budgetMs };
  const gather_before = await gathering.gather(tx, account_id, selection, from, async (candidates, ids) => {
    if (problem && leftOut) addLeftOut(leftOut, await problemStore.countAffected(tx, account_id, problem, ids));
    const made = await gathering.insertItems(tx, account_id, replay_id, candidates);
    total += made.deliveries;
    // An event has at least one delivery, so a small number of deliveries needs no count. Stretches share no events.
    if (events !== undefined) events += made.events;
    else if (total > maxEvents) events = await gathering.countEvents(tx, account_id, replay_id);
    return events === undefined || events <= maxEvents;
  });
  const left_out = leftOut ? JSON.stringify(leftOut) : null;
  return { total, gather_before, left_out, isTooMany: events !== undefined && events > maxEvents };
}

/** What the steps before have left out; at first, the failures without deliveries. */
async function leftOutOf(
  tx: Tx,
  { account_id, left_out }: { account_id: string; left_out: string | null },
  { problem_id }: problemStore.ProblemSource,
): Promise<LeftOutCounts> {
  if (left_out !== null) return JSON.parse(left_out) as LeftOutCounts;
  const others = await problemStore.countOthers(tx, account_id, problem_id);
  return Object.fromEntries(others.map(({ left_out, count }) => [left_out, count]));
}

/** Adds the deliveries of a stretch that are left out. */
export function addLeftOut(counts: LeftOutCounts, found: problemStore.AffectedCount[]): void {
  for (const { left_out, deliveries } of found)
    if (left_out !== null) counts[left_out] = (counts[left_out] ?? 0) + deliveries;
}

export const tooManyMessage = (most: number) => `The filter matches more than ${most} events; nothing was sent.`;
export const tooMany = (most: number) => badRequest(`filter: expected at most ${most} matching events`);
