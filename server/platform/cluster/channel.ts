/**
 * The channel between the nodes of a database: a dedicated connection for LISTEN and NOTIFY. Delivery is not
 * guaranteed. A broken connection is replaced, and the user of the channel is notified of the gap. A periodic probe
 * detects connections that are silently dead.
 */
import { Client, type Notification } from 'pg';
import type { Logger } from 'pino';
import type { Connection } from '../database/connection.ts';

/** The limit of NOTIFY payloads in PostgreSQL. */
export const MESSAGE_MAX_BYTES = 7900;

export type Channel = {
  /** Returns whether it was sent; false without a connection. */
  send(message: string): Promise<boolean>;
  close(): Promise<void>;
};
export type ChannelOptions = {
  log: Pick<Logger, 'warn' | 'info'>;
  onMessage: (message: string) => void;
  /** It listens again; messages sent meanwhile are lost. */
  onGap: () => void;
  probeMs?: number;
};

const NAME = 'sluice_nodes';
const PROBE_MS = 20_000;
/** Time limit of a probe. */
const PROBE_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Resolves when it listens, or when the first attempt failed; it keeps retrying. */
export async function openChannel(connection: Connection, options: ChannelOptions): Promise<Channel> {
  const { log, onMessage, onGap, probeMs = PROBE_MS } = options;
  let client: Client | undefined;
  let closed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let pause: NodeJS.Timeout | undefined;
  const probe = setInterval(() => void ask('select 1'), probeMs).unref();

  async function connect(isFirst: boolean): Promise<void> {
    const own = 'options' in connection ? connection.options : '';
    const fresh = new Client({
      ...connection,
      application_name: 'sluice channel',
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      // A notification writes nothing, so it need not wait for the disk.
      options: `${own} -c synchronous_commit=off`.trim(),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    fresh.on('error', () => {});
    fresh.on('notification', ({ payload }: Notification) => onMessage(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen ${NAME}`);
    } catch (error) {
      drop(fresh);
      return again(error);
    }
    if (closed) return drop(fresh);
    client = fresh;
    pauseMs = FIRST_PAUSE_MS;
    fresh.once('end', () => {
      if (client !== fresh) return;
      client = undefined;
      again(new Error('the connection ended'));
    });
    if (!isFirst) onGap();
  }

  function again(error: unknown) {
    if (closed) return;
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'cluster channel down, polling instead',
    );
    pause = setTimeout(() => void connect(false), pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Probes the connection; closes it without a response in time. */
  async function ask(text: string, values: string[] = []): Promise<boolean> {
    const asked = client;
    if (!asked) return false;
    const late = setTimeout(() => drop(asked), PROBE_TIMEOUT_MS);
    try {
      await asked.query(text, values);
      return true;
    } catch {
      drop(asked);
      return false;
    } finally {
      clearTimeout(late);
    }
  }

  await connect(true);
  return {
    send: (message) => ask(`select pg_notify('${NAME}', $1)`, [message]),
    async close() {
      closed = true;
      clearInterval(probe);
      clearTimeout(pause);
      const last = client;
      client = undefined;
      if (!last) return;
      const late = setTimeout(() => drop(last), PROBE_TIMEOUT_MS);
      await last.end().catch(() => {});
      clearTimeout(late);
    },
  };
}

/** Closes without a goodbye message, because the other end may be gone. */
function drop(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
}
