import { DRY_RUN_ITEMS, REPLAY_MAX_EVENTS } from '../../contract/limits.ts';
import type { Input } from '../../contract/operations.ts';
import type { DeliveryStatus } from '../../contract/states.ts';
import { toTimestamp } from '../lib/clock.ts';
import { badRequest } from '../lib/failure.ts';
import * as gathering from '../store/replay-gathering.ts';
import type { Candidate } from '../store/replays.ts';
import type { Db, Tx } from '../store/schema.ts';

type Body = Input<'replayCreate'>['body'];

/** For the choice of a whole replay, or the part of it that one look makes. */
const BUDGET_MS = 150;

/** What a request for a replay is about. A filter without a condition is refused. */
export function wishOf({ filter, destination_ids, only_failed, only_skipped }: Body): gathering.Wish {
  if (Object.values(filter).every((value) => value === undefined))
    throw badRequest('filter: expected at least one condition, so that not everything is replayed by mistake');
  const { received_after, received_before, ...rest } = filter;
  const statuses: DeliveryStatus[] = [
    ...(only_failed ? ['FAILED' as const] : []),
    ...(only_skipped ? ['SKIPPED' as const] : []),
  ];
  return {
    filter: {
      ...rest,
      received_after: received_after && toTimestamp(received_after),
      received_before: received_before && toTimestamp(received_before),
    },
    choice: { destination_ids, statuses: statuses.length > 0 ? statuses : undefined },
  };
}

/**
 * How many events and deliveries a replay would be about, and those that would go out first. Where time runs out it is
 * at least so many, and those shown are the oldest of the ones that were counted.
 */
export async function survey(db: Db, account_id: string, wish: gathering.Wish, budgetMs = BUDGET_MS) {
  const found = { events: 0, deliveries: 0 };
  let first: Candidate[] = [];
  const rest = await gathering.gather(db, account_id, wish, { before: undefined, budgetMs }, async (candidates) => {
    const { events, deliveries } = await gathering.count(db, candidates);
    found.events += events;
    found.deliveries += deliveries;
    // Each stretch is older than the one before.
    if (deliveries > 0)
      first = [...(await gathering.oldest(db, candidates, DRY_RUN_ITEMS)), ...first].slice(0, DRY_RUN_ITEMS);
    return found.events <= REPLAY_MAX_EVENTS;
  });
  if (found.events > REPLAY_MAX_EVENTS) throw tooMany();
  return { ...found, first, at_least: rest !== null };
}

/** Makes items of a replay from where the last look stopped. `before` is where the next one goes on; null at the end. */
export async function collect(
  tx: Tx,
  replay: { account_id: string; replay_id: string; total: number; gather_before: string | null },
  wish: gathering.Wish,
  budgetMs = BUDGET_MS,
): Promise<{ total: number; gather_before: string | null; isTooMany: boolean }> {
  const { account_id, replay_id } = replay;
  let { total } = replay;
  const from = { before: replay.gather_before ?? undefined, budgetMs };
  const gather_before = await gathering.gather(tx, account_id, wish, from, async (candidates) => {
    total += (await gathering.insertItems(tx, account_id, replay_id, candidates)).deliveries;
    return total <= REPLAY_MAX_EVENTS || !(await isTooMany());
  });
  // An event has one delivery or more, so few deliveries need no second look.
  const isTooMany = async () => (await gathering.countEvents(tx, account_id, replay_id)) > REPLAY_MAX_EVENTS;
  return { total, gather_before, isTooMany: total > REPLAY_MAX_EVENTS && (await isTooMany()) };
}

export const tooManyWords = `The filter finds more than ${REPLAY_MAX_EVENTS} events; nothing was sent.`;
export const tooMany = () => badRequest(`filter: expected at most ${REPLAY_MAX_EVENTS} events, it finds more`);
