/** Measures claims of due deliveries with a large backlog of a dead destination and many live destinations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEASE_MS } from '../../server/deliveries/intake/store-events.ts';
import { PER_CLAIM, PER_DESTINATION } from '../../server/deliveries/sending/leases.ts';
import { claim } from '../../server/deliveries/store/queue/waiting-deliveries.ts';
import { newId } from '../../server/lib/ids.ts';
import { type Database, openDatabase } from '../../server/platform/database/database.ts';
import { startEmbedded } from '../../server/platform/database/embedded/start.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { ensurePartitions } from '../../server/platform/database/partitions.ts';
import { quantile } from '../quantile.ts';

const DEAD = 200_000;
const LANES = 1000;
const TIMES = 40;
const log = {
  info() {},
  warn: (given: unknown) => console.error(given),
  error: (given: unknown) => console.error(given),
};

export type Claims = { due: number; none: number };

export const FIRST = '00000000-0000-0000-0000-000000000000';

/** A database with the deliveries, and a way to open it. */
export type Backlog = { dead: string; open(): Database; stop(): Promise<void> };

/** Fills a database with deliveries that are due: DEAD for one destination, and ten for each of LANES others. */
export async function startBacklog(): Promise<Backlog> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const server = await startEmbedded({ dataDir, log });
  await migrate(server.connection, { log });
  const open = () => openDatabase(server.connection, { poolSize: 1, log });
  const { kysely: db, pool, close } = open();
  await ensurePartitions(db);
  await pool.query('set statement_timeout = 0');
  const [account, dead] = [newId(), newId()];
  const fill = (count: number, destination: string) =>
    pool.query(
      `with r as (
         select n, ($2::text || lpad(to_hex(n), 12, '0'))::uuid as id, ${destination} as destination_id from generate_series(1, ${count}) n
       ), e as (
         insert into events (account_id, event_id, trigger_id, received_at, payload) select $1::uuid, id, $1::uuid, now(), '{}' from r
       ), d as (
         insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
           destination_url, destination_method, status, origin, created_at, next_at)
         select $1::uuid, id, id, $1::uuid, destination_id, 'd', 'http://d', 'POST', 'PENDING', 'EVENT', now(), now() from r
       )
       insert into waiting_deliveries select $1::uuid, id, id, destination_id, now() from r`,
      [account, newId().slice(0, 24)],
    );
  await fill(DEAD, `'${dead}'::uuid`);
  await fill(LANES * 10, `('00000000-0000-7000-8000-' || lpad(to_hex(n % ${LANES}), 12, '0'))::uuid`);
  await pool.query('vacuum analyze');

  await close();
  return {
    dead,
    open,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Median milliseconds of a claim with a full batch (`due`), and of one when no live destination is due (`none`). */
export async function claims(): Promise<Claims> {
  const { dead, open, stop } = await startBacklog();
  const { kysely: db, pool, close } = open();
  const node_id = newId();

  async function measure(without: string[]): Promise<number> {
    const took: number[] = [];
    let after = FIRST;
    for (let i = 0; i < TIMES; i++) {
      const startedMs = performance.now();
      const options = { node_id, leaseMs: LEASE_MS, after, perDestination: PER_DESTINATION, total: PER_CLAIM };
      const { upTo } = await claim(db, { ...options, without, probed: [] });
      took.push(performance.now() - startedMs);
      after = upTo ?? FIRST;
    }
    return quantile(took, 0.5);
  }

  // The first claims of a process are slower.
  await measure([]);
  const due = await measure([]);
  await pool.query(
    `update waiting_deliveries set next_at = now() + interval '1 hour' where destination_id <> '${dead}'`,
  );
  const none = await measure([dead]);
  await close();
  await stop();
  return { due, none };
}
