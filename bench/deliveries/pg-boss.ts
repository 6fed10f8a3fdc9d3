/** Delivers with pg-boss, one job per event. Jobs and records are committed together before events are acknowledged. */
import { CompiledQuery } from 'kysely';
import { PgBoss } from 'pg-boss';
import { createBatcher } from '../../server/lib/batcher.ts';
import { type Item, listen, log, openRecord, sendSigned, settings } from './rival.ts';

const record = await openRecord();
const database = settings.database;
if (!database || !('host' in database)) throw new Error('a database is needed');
const boss = new PgBoss({ ...database, schema: 'boss', max: 10, useListenNotify: true, supervise: false });
boss.on('error', log.warn);
await boss.start();
await boss.createQueue('deliveries', { notify: true, retryLimit: 7, retryDelay: 5, expireInSeconds: 60 });

const incoming = createBatcher(
  async (items: Item[]) => {
    await record.db.transaction().execute(async (tx) => {
      await record.insert(tx, items);
      const executeSql = async (text: string, values?: unknown[]) => {
        const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values ?? []));
        return { rows };
      };
      await boss.insert(
        'deliveries',
        items.map((data) => ({ data })),
        { db: { executeSql } },
      );
    });
    return items;
  },
  { max: 200, atOnce: 1, gatherMs: 2, gatherAfter: 8 },
);

const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
await boss.work<Item>('deliveries', { batchSize: 100, localConcurrency: 2, perJobResults: true, ...polling }, (jobs) =>
  Promise.all(
    jobs.map(async ({ id, data }) => {
      const sent = await sendSigned(data);
      await record.completions.add(sent);
      return { id, status: sent.response.status === 200 ? ('completed' as const) : ('failed' as const) };
    }),
  ),
);

listen((item) => incoming.add(item), record.count);
