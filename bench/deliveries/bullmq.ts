/** Delivers with BullMQ, one job per event, and records in PostgreSQL. Both store an event before it is confirmed. */
import { Queue, Worker } from 'bullmq';
import { createBatcher } from '../../server/lib/batcher.ts';
import { type Item, listen, openRecord, sendSigned, settings } from './rival.ts';

const connection = { host: '127.0.0.1', port: settings.redis ?? 6379, maxRetriesPerRequest: null };
const queue = new Queue<Item>('deliveries', {
  connection,
  defaultJobOptions: { removeOnComplete: true, attempts: 8, backoff: { type: 'exponential', delay: 5000 } },
});
const record = await openRecord();

const incoming = createBatcher(
  async (items: Item[]) => {
    await record.insert(record.db, items);
    await queue.addBulk(items.map((data) => ({ name: 'delivery', data, opts: { jobId: data.delivery_id } })));
    return items;
  },
  { max: 200, atOnce: 1, gatherMs: 2, gatherAfter: 8 },
);

new Worker<Item>(
  'deliveries',
  async ({ data }) => {
    const sent = await sendSigned(data);
    await record.completions.add(sent);
    if (sent.response.status !== 200) throw new Error(`response status ${sent.response.status}`);
  },
  { connection, concurrency: 128 },
);

listen((item) => incoming.add(item), record.count);
