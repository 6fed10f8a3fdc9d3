/**
 * Detects dead connections whose other end vanished silently, because the network or a machine failed. A statement that
 * takes too long is looked up through a separate connection. If the server does not run it or is unreachable, its
 * connection is destroyed, so that the waiting caller gets an error.
 */
import { Client, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';

export type SilenceWatch = {
  /** Starts watching a connection. */
  watch(client: PoolClient): void;
  forget(client: PoolClient): void;
  close(): void;
};

const PROBE_MS = 5_000;

type Insides = { processID: number; connection: { stream: { destroy(): void } } };

export function createSilenceWatch(
  connection: Connection,
  { silentMs, log }: { silentMs: number; log: Pick<Logger, 'warn'> },
): SilenceWatch {
  const askedAtMs = new Map<PoolClient, number>();
  let asking = false;
  const timer = setInterval(() => void look(), Math.min(PROBE_MS, silentMs)).unref();

  async function look() {
    if (asking) return;
    const nowMs = performance.now();
    const silent = [...askedAtMs].filter(([, atMs]) => nowMs - atMs >= silentMs);
    if (silent.length === 0) return;
    asking = true;
    const working = await activeProcesses(connection).catch(() => new Set<number>());
    asking = false;
    for (const [client, atMs] of silent) {
      const { processID, connection } = client as unknown as Insides;
      if (working.has(processID) || askedAtMs.get(client) !== atMs) continue;
      log.warn({ seconds: Math.round((nowMs - atMs) / 1000) }, 'database connection timed out, closed');
      connection.stream.destroy();
    }
  }

  return {
    watch(client) {
      const plain: (...given: unknown[]) => unknown = client.query;
      const query = (...given: unknown[]) => {
        askedAtMs.set(client, performance.now());
        const answer = Reflect.apply(plain, client, given);
        const done = () => askedAtMs.delete(client);
        if (answer instanceof Promise) answer.then(done, done);
        else done();
        return answer;
      };
      Object.assign(client, { query });
    },
    forget: (client) => void askedAtMs.delete(client),
    close: () => clearInterval(timer),
  };
}

/** Process ids of the server that run a statement of this user. */
async function activeProcesses(connection: Connection): Promise<Set<number>> {
  const client = new Client({ ...connection, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  client.on('error', () => {});
  const late = setTimeout(() => (client as unknown as Insides).connection.stream.destroy(), 2 * PROBE_MS);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where usename = current_user and state in ('active', 'fastpath function call')`,
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    clearTimeout(late);
    (client as unknown as Insides).connection.stream.destroy();
  }
}
