import type { Reply } from '../../../contract/operations.ts';
import { destinationHealth } from '../../../contract/states.ts';
import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import * as store from '../store/destinations/destination-queues.ts';

export type Queue = Reply<'destinationGet'>['destination']['queue'];

/** The waiting deliveries of one destination, and how many it has missed while disabled. */
export async function ofDestination(
  ctx: Ctx,
  { destination_id, status }: Pick<DestinationsTable, 'destination_id' | 'status'>,
): Promise<{ queue: Queue; missed: number }> {
  const [rows, missed] = await Promise.all([
    store.list(ctx.db, ctx.account_id, destination_id),
    status === 'DISABLED' ? store.listMissed(ctx.db, ctx.account_id, destination_id) : [],
  ]);
  const [row] = rows;
  return { queue: row ? describe(ctx, row) : EMPTY_QUEUE, missed: missed[0]?.missed ?? 0 };
}

/** The same for all destinations of the account that have waiting deliveries, are disabled or are paused. */
export async function ofAccount(ctx: Ctx) {
  const [rows, disabled, paused] = await Promise.all([
    store.list(ctx.db, ctx.account_id),
    store.listMissed(ctx.db, ctx.account_id),
    store.listPaused(ctx.db, ctx.account_id),
  ]);
  const queues = rows.map((row) => ({
    trigger_id: row.trigger_id,
    destination_id: row.destination_id,
    ...describe(ctx, row),
  }));
  return { queues, disabled, paused };
}

export const EMPTY_QUEUE: Queue = {
  waiting: 0,
  at_least: false,
  due: 0,
  held: 0,
  oldest_waiting_at: null,
  oldest_due_at: null,
  drain_seconds: null,
  health: 'HEALTHY',
};

function describe({ pipeline }: Pick<Ctx, 'pipeline'>, row: store.QueueRow): Queue {
  const { waiting, due, oldest_due_at, oldest_event_id } = row;
  const isPaused = row.paused_at !== null;
  const held = row.circuit_open && !isPaused ? due : 0;
  const perSecond = held > 0 || isPaused ? null : pipeline.throughput.perSecond(row.destination_id);
  return {
    waiting,
    at_least: waiting >= store.COUNTED_MAX,
    due,
    held,
    oldest_waiting_at: oldest_event_id === null ? null : timestampAt(msOf(oldest_event_id)),
    oldest_due_at,
    drain_seconds: perSecond === null || waiting === 0 ? null : Math.ceil(waiting / perSecond),
    health: destinationHealth(row, { waiting, due, held, oldest_due_at }, Date.now()),
  };
}
