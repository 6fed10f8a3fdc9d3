/**
 * Sends a bulk replay in batches. Each batch is one transaction of a few statements that locks the replay's row, so
 * that nothing is sent after a pause or cancel has been confirmed. It updates items and deliveries together, so that a
 * crash sends none twice. No request is sent within the transaction; the deliverer fetches the deliveries that became
 * due. A destination gets no more than it may have open (replay-flow.ts).
 */
import { mayReplay } from '../../../contract/states.ts';
import { newId } from '../../lib/ids.ts';
import type { Services } from '../../platform/context.ts';
import type { ReplaysTable, Tx } from '../../platform/database/schema.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import { type BatchRestart, existingEvents, restartBatch } from '../store/replays/replay-batch.ts';
import { markItems } from '../store/replays/replay-progress.ts';
import * as store from '../store/replays/replays.ts';
import type { Flow } from './replay-flow.ts';

const BATCH = 200;
/** One step sends for at most this long, so that progress is never more than a second behind. */
const SENDING_MS = 250;

/** The options of a replay that its deliveries are sent with. */
export function optionsOf({ request }: Pick<ReplaysTable, 'request'>) {
  const { as_new, only_undelivered } = JSON.parse(request) as { as_new?: boolean; only_undelivered?: boolean };
  return { as_new, only_undelivered };
}

/** `from`: no item of an earlier event waits. `destination_ids`: all that items wait for. */
export type Source = { from: string; flow: Flow; destination_ids: string[] };
/** The unused rest of the share, and whether the time ended before it was used. */
export type Sent = { left: number; isLate: boolean };

/** Makes up to `share` deliveries due, oldest event first. */
export async function sendShare(
  services: Services,
  replay: ReplaysTable,
  source: Source,
  share: number,
): Promise<Sent> {
  const stopMs = performance.now() + SENDING_MS;
  let left = share;
  while (left > 0) {
    if (performance.now() >= stopMs) return { left, isLate: true };
    const { found, taken } = await sendBatch(services, replay, source, Math.min(left, BATCH));
    if (found === 0) break;
    left -= taken;
    if (taken > 0) services.nudge('deliverer');
  }
  return { left, isLate: false };
}

/** `found`: items that waited for destinations with room; `taken`: those that were sent or skipped. */
async function sendBatch(
  services: Services,
  replay: ReplaysTable,
  source: Source,
  limit: number,
): Promise<{ found: number; taken: number }> {
  const { account_id, replay_id } = replay;
  const { as_new: isNew = false, only_undelivered: onlyUndelivered = false } = optionsOf(replay);
  const { found, taken } = await services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, replay_id);
    const waiting = current?.status === 'RUNNING' ? await waitingOf(tx, replay, source, limit) : [];
    if (waiting.length === 0) return { found: 0, taken: [] };
    const existing = await existingEvents(tx, account_id, [...new Set(waiting.map(({ event_id }) => event_id))]);
    const triggers = [...new Set(waiting.map(({ trigger_id }) => trigger_id))];
    const destinations = new Map(
      (await destinationStore.listOf(tx, account_id, triggers)).map((each) => [each.destination_id, each]),
    );
    const restarts: BatchRestart[] = [];
    const taken = waiting.filter(({ event_id, delivery_id, destination_id }) => {
      const destination = destinations.get(destination_id);
      if (!destination || !mayReplay(destination).can || !existing.has(event_id)) return true;
      if (!source.flow.take(destination_id, destination)) return false;
      restarts.push({ event_id, delivery_id, destination, replay_id, webhook_id: isNew ? newId() : null });
      return true;
    });
    const sent = await restartBatch(tx, account_id, restarts, { onlyUndelivered });
    const isSent = ({ delivery_id }: store.Waiting) => sent.has(delivery_id);
    const notSent = taken.filter((item) => !isSent(item));
    await markItems(tx, account_id, replay_id, taken.filter(isSent), 'SENT');
    await markItems(tx, account_id, replay_id, notSent, 'SKIPPED');
    return { found: waiting.length, taken };
  });
  for (const { trigger_id, event_id, delivery_id } of taken)
    services.changed(account_id, { noun: 'delivery', trigger_id, event_id, delivery_id, status: 'PENDING' });
  return { found, taken: taken.length };
}

function waitingOf(
  tx: Tx,
  { account_id, replay_id }: ReplaysTable,
  { from, flow, destination_ids }: Source,
  limit: number,
): Promise<store.Waiting[]> {
  if (!flow.anyFull()) return store.waiting(tx, account_id, replay_id, from, limit);
  const open = destination_ids.filter((id) => !flow.isFull(id));
  return store.waitingFor(tx, account_id, replay_id, { from, limit, destination_ids: open });
}
