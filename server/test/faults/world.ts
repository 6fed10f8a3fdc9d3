/** What the faults happen in: a trigger that anybody may post to, sources that do, and destinations that keep count. */
import { Client, type ClientConfig } from 'pg';
import { expect, vi } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { findPlace } from '../../platform/database/embedded/place.ts';
import type { Spawned } from '../spawned.ts';

export type Trigger = Reply<'triggerCreate'>['trigger'];
export type Target = { trigger: Trigger; path: string };
type Caller = Pick<Spawned, 'call' | 'url'>;

/** A trigger whose sources say which event it is by a header, and its destinations. */
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

/** Posts event `n`; answers its id once it is acknowledged, and what it was answered where it wasn't. */
export async function post({ url }: Caller, { path }: Target, n: string | number): Promise<string | number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-id': String(n), 'content-type': 'application/json' },
    body: JSON.stringify({ n }),
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
  /** Ids of the events that were acknowledged so far. */
  acknowledged: string[];
  /** Answers other than 200, and connections that broke (0), by how often. */
  refused: Map<number, number>;
  /** Resolves once this many more than now have been acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
};

/** A source that is refused comes back a little later. */
const PAUSE_MS = 25;
let numbers = 0;

/** This many sources that post to one of these services after the other, each as soon as it was answered. */
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

/** How to reach the database that a service keeps in its data folder. */
export const embeddedIn = (dataDir: string): ClientConfig => ({
  host: findPlace(dataDir).socketDir,
  user: 'sluice',
  database: 'postgres',
});

/** A connection to the database beside the service's own, reopened where it broke. */
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

/** No process writes to a table until it is released, but everybody reads it. */
export async function lockTable(config: ClientConfig, table: 'events' | 'attempts'): Promise<Lock> {
  const client = new Client(config);
  client.on('error', () => {});
  await client.connect();
  await client.query(`begin; lock table ${table} in exclusive mode`);
  return { release: () => client.end().catch(() => {}) };
}

/** Resolves once a statement waits for such a lock. */
export async function whenSomebodyWaits(database: () => Promise<Client>): Promise<void> {
  const waiting = async () => {
    const { rows } = await (await database()).query('select 1 from pg_locks where not granted');
    expect(rows).not.toEqual([]);
  };
  await vi.waitFor(waiting, { timeout: 10_000, interval: 20 });
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
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
/** Has the machine for itself, so that times count. */
export const IS_LONG = ROUNDS > 3;
