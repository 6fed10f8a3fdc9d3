/**
 * Shared code of the compared services, built from parts of this service. Each checks the signature of an incoming
 * event, sends it signed through the guarded egress, and stores the same rows with the same statements. Only the queue
 * in between differs. Requests are sent with undici, a typical client for a service built on a job queue.
 */
import { createServer } from 'node:http';
import { LEASE_MS } from '../../server/deliveries/intake/store-events.ts';
import { storedBody } from '../../server/deliveries/store/queue/attempts.ts';
import * as queue from '../../server/deliveries/store/queue/delivery-queue.ts';
import { createBatcher } from '../../server/lib/batcher.ts';
import { now } from '../../server/lib/clock.ts';
import { newId } from '../../server/lib/ids.ts';
import { newSigningSecret, signatureHeaders, signingKey } from '../../server/lib/signing.ts';
import type { Connection } from '../../server/platform/database/connection.ts';
import { openDatabase } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { ensurePartitions } from '../../server/platform/database/partitions.ts';
import { createEgress } from '../../server/platform/egress/egress.ts';
import { checkSignature } from '../../server/triggers/ingress/signature.ts';
import { CHECK, DESTINATIONS, SOURCE_SECRET } from './message.ts';

type Settings = { port: number; receiver: string; redis?: number; database?: Connection };
export const settings = JSON.parse(process.argv[2] ?? '{}') as Settings;

export const log = { info() {}, warn: (...given: unknown[]) => console.error(...given) };

/** An event and its single delivery. */
export type Item = { event_id: string; delivery_id: string; destination: number; received_at: string; payload: string };

/** Starts the server. A POST gets its response when `accept` has resolved; a GET returns the number of records. */
export function listen(accept: (item: Item) => Promise<unknown>, recorded: () => number): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const respond = (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      res
        .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text);
    };
    if (req.method === 'GET') return respond(200, { recorded: recorded() });
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      const url = req.url ?? '';
      const request = { method: 'POST', url, headers: req.headers, body };
      if (checkSignature(CHECK, [SOURCE_SECRET], request, Date.now())) return respond(401, {});
      const payload = body.toString();
      JSON.parse(payload);
      const ids = { event_id: newId(), delivery_id: newId() };
      const item = { ...ids, destination: Number(url.slice(1)), received_at: now(), payload };
      accept(item).then(
        () => respond(200, { event_id: item.event_id }),
        (error: unknown) => {
          log.warn(error);
          respond(503, {});
        },
      );
    });
  });
  server.listen(settings.port, '127.0.0.1', () => process.stdout.write('ready\n'));
  process.on('SIGTERM', () => process.exit(0));
}

const agent = createEgress(['127.0.0.0/8']).agent({ connections: 128, pipelining: 1 });
const key = signingKey(newSigningSecret());
const ids = Array.from({ length: DESTINATIONS }, () => ({ trigger_id: newId(), destination_id: newId() }));
const account_id = newId();
const idsOf = ({ destination }: Item) => ids[destination] ?? { trigger_id: account_id, destination_id: account_id };

type Response = { status: number; headers: string; body: string };
export type Sent = { item: Item; response: Response; started_at: string; ms: number; headers: string; body: string };

export async function sendSigned(item: Item): Promise<Sent> {
  const { event_id, received_at, payload } = item;
  const started_at = now();
  const startedMs = performance.now();
  const { trigger_id } = idsOf(item);
  const body = `{"type":"webhook.received","timestamp":"${received_at}","data":${payload},"event_id":"${event_id}","trigger_id":"${trigger_id}","source":"webhook"}`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Rival',
    ...signatureHeaders([key], event_id, Date.now(), body),
  };
  const reply = await agent.request({
    origin: settings.receiver,
    path: `/d/${item.destination}`,
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(15_000),
  });
  const text = await reply.body.text();
  const ms = Math.round(performance.now() - startedMs);
  const response = { status: reply.statusCode, headers: JSON.stringify(reply.headers), body: text };
  return { item, response, started_at, ms, headers: JSON.stringify(headers), body };
}

/** Returns a function that queues items and works on at most `max` of them concurrently. */
export function createWorkQueue(max: number, work: (item: Item) => Promise<unknown>): (item: Item) => void {
  const waiting: Item[] = [];
  let inFlight = 0;
  const pump = () => {
    for (
      let item = inFlight < max ? waiting.shift() : undefined;
      item;
      item = inFlight < max ? waiting.shift() : undefined
    ) {
      inFlight++;
      void work(item).finally(() => {
        inFlight--;
        pump();
      });
    }
  };
  return (item) => {
    waiting.push(item);
    pump();
  };
}

/** Records in PostgreSQL with the tables, statements and batch sizes of this service. */
export async function openRecord() {
  if (!settings.database) throw new Error('a database is needed');
  await migrate(settings.database, { log });
  const { kysely: db, pool } = openDatabase(settings.database, { poolSize: 12, log });
  await ensurePartitions(db);
  let recorded = 0;
  const leased_by = newId();
  return {
    pool,
    db,
    count: () => recorded,
    /** Inserts events with their deliveries, leased as if in flight. */
    insert(tx: Parameters<typeof queue.insert>[0], items: Item[]) {
      const events = items.map((item) => ({ ...rowOf(item), payload: item.payload, replay_of: null }));
      const deliveries = items.map((item) => deliveryOf(item, leased_by));
      return queue.insert(tx, events, deliveries, LEASE_MS);
    },
    completions: createBatcher(
      async (sent: Sent[]) => {
        await queue.complete(
          db,
          sent.map(completionOf).toSorted((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1)),
        );
        recorded += sent.length;
        return sent;
      },
      { max: 200, atOnce: 1, gatherMs: 2, gatherAfter: 8 },
    ),
  };
}

const rowOf = (item: Item) => ({
  account_id,
  event_id: item.event_id,
  trigger_id: idsOf(item).trigger_id,
  received_at: item.received_at,
});

function deliveryOf(item: Item, leased_by: string): queue.NewDeliveryRow {
  const { received_at, ...row } = rowOf(item);
  const url = `${settings.receiver}/d/${item.destination}`;
  return {
    ...row,
    delivery_id: item.delivery_id,
    destination_id: idsOf(item).destination_id,
    destination: { name: `Receiver ${item.destination}`, url, method: 'POST' },
    status: 'PENDING',
    reason: null,
    origin: 'EVENT',
    leased_by,
    created_at: received_at,
    replay_id: null,
    webhook_id: null,
  };
}

function completionOf({ item, response, started_at, ms, headers, body }: Sent): queue.Completion {
  return {
    account_id,
    event_id: item.event_id,
    delivery_id: item.delivery_id,
    number: 1,
    step: 0,
    generation: 0,
    origin: 'EVENT',
    status: response.status === 200 ? 'SUCCEEDED' : 'FAILED',
    reason: response.status === 200 ? null : 'HTTP_STATUS',
    retry_ms: null,
    restart_ms: null,
    used: 0,
    finished_at: now(),
    was_failing: false,
    sent: {
      started_at,
      duration_ms: ms,
      request_method: 'POST',
      request_url: `${settings.receiver}/d/${item.destination}`,
      request_headers: headers,
      ...storedBody(body, item.payload),
      response_status: response.status,
      response_headers: response.headers,
      response_body: response.body,
      response_truncated: false,
      error_message: null,
      run_id: null,
      function_id: null,
      transform_function_id: null,
      transform_version: null,
      transform_run_id: null,
      replay_id: null,
      webhook_id: null,
    },
  };
}
