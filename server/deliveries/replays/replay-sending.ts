/**
 * Sends a bulk replay in batches. Each batch is one transaction of a few statements that locks the replay's row, so
 * that nothing is sent after a pause or cancel has been confirmed. It updates items and deliveries together, so that a
 * crash sends none twice. No request is sent within the transaction; the deliverer fetches the deliveries that became
 * due.
 */
import { mayReplay } from '../../../contract/states.ts';
import { newId } from '../../lib/ids.ts';
import type { Services } from '../../platform/context.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import { type BatchRestart, existingEvents, restartBatch } from '../store/replays/replay-batch.ts';
import { markItems } from '../store/replays/replay-progress.ts';
import * as store from '../store/replays/replays.ts';

const BATCH = 200;
/** One step sends for at most this long, so that progress is never more than a second behind. */
const SENDING_MS = 250;

/**
 * Makes up to `share` deliveries due, oldest event first; no item of an event before `from` waits. Returns the unused
 * rest of the share.
 */
export async function sendShare(
  services: Services,
  replay: ReplaysTable,
  from: string,
  share: number,
): Promise<number> {
  const stopMs = performance.now() + SENDING_MS;
  let left = share;
  let fromId = from;
  while (left > 0 && performance.now() < stopMs) {
    const items = await sendBatch(services, replay, fromId, Math.min(left, BATCH));
    const last = items.at(-1);
    if (!last) break;
    left -= items.length;
    fromId = last.event_id;
    services.nudge('deliverer');
  }
  return left;
}

async function sendBatch(
  services: Services,
  replay: ReplaysTable,
  from: string,
  limit: number,
): Promise<store.Waiting[]> {
  const { account_id, replay_id } = replay;
  const isNew = (JSON.parse(replay.request) as { as_new?: boolean }).as_new ?? false;
  const items = await services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, replay_id);
    if (current?.status !== 'RUNNING') return [];
    const waiting = await store.waiting(tx, account_id, replay_id, from, limit);
    if (waiting.length === 0) return [];
    const existing = await existingEvents(tx, account_id, [...new Set(waiting.map(({ event_id }) => event_id))]);
    const triggers = [...new Set(waiting.map(({ trigger_id }) => trigger_id))];
    const destinations = new Map(
      (await destinationStore.listOf(tx, account_id, triggers)).map((each) => [each.destination_id, each]),
    );
    const restarts = waiting.flatMap(({ event_id, delivery_id, destination_id }): BatchRestart[] => {
      const destination = destinations.get(destination_id);
      if (!destination || !mayReplay(destination).can || !existing.has(event_id)) return [];
      return [{ event_id, delivery_id, destination, replay_id, webhook_id: isNew ? newId() : null }];
    });
    const sent = await restartBatch(tx, account_id, restarts);
    const isSent = ({ delivery_id }: store.Waiting) => sent.has(delivery_id);
    const notSent = waiting.filter((item) => !isSent(item));
    await markItems(tx, account_id, replay_id, waiting.filter(isSent), 'SENT');
    await markItems(tx, account_id, replay_id, notSent, 'SKIPPED');
    return waiting;
  });
  for (const { trigger_id, event_id, delivery_id } of items)
    services.changed(account_id, { noun: 'delivery', trigger_id, event_id, delivery_id, status: 'PENDING' });
  return items;
}
