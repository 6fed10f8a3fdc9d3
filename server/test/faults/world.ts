/**
 * The environment of the faults: a trigger with an open webhook endpoint, sources that post to it, and destinations
 * that count.
 */
import { Client, type ClientConfig } from 'pg';
import { expect, vi } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { Spawned } from '../spawned.ts';

export type Trigger = Reply<'triggerCreate'>['trigger'];
export type Target = { trigger: Trigger; path: string };
type Caller = Pick<Spawned, 'call' | 'url'>;

/** A trigger whose sources send an event id in a header, and its destinations. */
export async function makeTarget(service: Caller, destinations: Body<'destinationCreate'>[]): Promise<Target> {
  const { status, body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none', id_header: 'X-Id' },
    destinations,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return { trigger: body.trigger, path: new URL(body.trigger.ingress?.url ?? '').pathname };
}

/** Posts event `n`; returns its id once it is acknowledged, else the status. */
export async function post(
  { url }: Caller,
  { path }: Target,
  n: string | number,
  payload: object = { n },
): Promise<string | number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-id': String(n), 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(15_000),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    return response.status;
  }
  const { event_ids } = (await response.json()) as { event_ids: string[] };
  return event_ids[0] ?? '';
}

export type Writers = {
  /** Ids of the acknowledged events. */
  acknowledged: string[];
  /** Number of responses by status other than 200; 0: broken connections. */
  refused: Map<number, number>;
  /** Resolves once this many more have been acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
};

/** A rejected source retries a little later. */
const PAUSE_MS = 25;
let numbers = 0;

/** Starts sources that post to these services in turn, each as soon as it has a response. */
export function startWriters(services: () => Caller[], target: Target, count = 16): Writers {
  const acknowledged: string[] = [];
  const refused = new Map<number, number>();
  let going = true;
  const writer = async (at: number) => {
    for (let turn = at; going; turn++) {
      const among = services();
      const service = among[turn % among.length];
      const answer = service ? await post(service, target, `w${++numbers}`).catch(() => 0) : 0;
      if (typeof answer === 'string') acknowledged.push(answer);
      else {
        refused.set(answer, (refused.get(answer) ?? 0) + 1);
        await new Promise((ok) => setTimeout(ok, PAUSE_MS));
      }
    }
  };
  const writers = Promise.all(Array.from({ length: count }, (_, at) => writer(at)));
  return {
    acknowledged,
    refused,
    async more(wanted) {
      const enough = acknowledged.length + wanted;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough), {
        timeout: 60_000,
        interval: 5,
      });
    },
    async stop() {
      going = false;
      await writers;
    },
  };
}

/** A connection to the database besides the service's; reconnects when broken. */
export function beside(config: ClientConfig): { client: () => Promise<Client>; close(): Promise<void> } {
  let open: Promise<Client> | undefined;
  const connect = async () => {
    const client = new Client(config);
    const forget = () => {
      open = undefined;
    };
    client.on('error', forget).on('end', forget);
    await client.connect().catch((error: unknown) => {
      forget();
      throw error;
    });
    return client;
  };
  return {
    client: () => {
      open ??= connect();
      return open;
    },
    async close() {
      await (await open)?.end();
    },
  };
}

export type Lock = { release(): Promise<void> };

/** Blocks writes to a table, not reads, until it is released. */
export async function lockTable(
  config: ClientConfig,
  table: 'events' | 'attempts' | 'problem_failures',
): Promise<Lock> {
  const client = new Client(config);
  client.on('error', () => {});
  await client.connect();
  await client.query(`begin; lock table ${table} in exclusive mode`);
  return { release: () => client.end().catch(() => {}) };
}

/** Resolves once a statement waits for such a lock. */
export async function whenStatementWaits(database: () => Promise<Client>): Promise<void> {
  const waiting = async () => {
    const { rows } = await (await database()).query('select 1 from pg_locks where not granted');
    expect(rows).not.toEqual([]);
  };
  await vi.waitFor(waiting, { timeout: 60_000, interval: 20 });
}

/** Pseudorandom numbers from 0 to 1 from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `FAULT_SEED` repeats a run, and `FAULT_ROUNDS` makes a long one. */
export const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
export const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 3);
/** The long run has a dedicated machine, so its times are meaningful. */
export const IS_LONG = ROUNDS > 3;
