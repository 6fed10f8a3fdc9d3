/**
 * Three nodes behind the documented nginx, restarted one after another under traffic: no request fails, and no event is
 * lost. Once as the same version, and once as an upgrade from the release before, whose nodes work on the new schema
 * meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addConnectedApp } from '../../connections/test/connecting.ts';
import { ECHO } from '../../functions/test/functions-support.ts';
import { newestMigration } from '../../platform/database/migrate.ts';
import { type Sink, startSink } from '../sink.ts';
import { type Command, type Folder, freePort, KEY, type Spawned, scratch, start } from '../spawned.ts';
import { ownDatabase } from './database.ts';
import { expectGood, judge, print, type Verdict, whenRecovered } from './ledger.ts';
import { NGINX, type Nginx, startNginx } from './nginx.ts';
import { HAS_PREVIOUS, unpackPrevious } from './previous-release.ts';
import { IS_LONG, makeTarget, post, type Target } from './world.ts';

const NODES = 3;
const CALLERS = 16;
/** Of all kinds together. The short form is for machines that are busy with other tests. */
const LEAST_REQUESTS = IS_LONG ? 20_000 : 2_000;
const MINUTES = 60_000;
/** With this lame duck, connections of nginx close before the node does (docs/reference/operating.md, Stopping). */
const env = {
  SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}`,
  SLUICE_LAME_DUCK_SECONDS: '5',
  SLUICE_RATE_LIMIT: '1000000',
  SLUICE_HOOK_RATE: '1000000',
  SLUICE_ACCOUNT_HOOK_RATE: '1000000',
};

const verdicts: Verdict[] = [];
let sink: Sink;
beforeAll(async () => {
  sink = await startSink();
});
afterAll(async () => {
  print('rolling restart', verdicts);
  await sink.close();
});

it.skipIf(!NGINX)(
  'a restart of three nodes fails no request',
  async () => {
    await roll('/restart', undefined);
  },
  10 * MINUTES,
);

it.skipIf(!NGINX || !HAS_PREVIOUS)(
  'an upgrade of three nodes fails no request',
  async () => {
    const previous = unpackPrevious();
    await roll('/upgrade', previous.command).finally(previous.remove);
  },
  10 * MINUTES,
);

/** Starts nodes of the version `before` and restarts each of them as this version. */
async function roll(at: string, before: Command | undefined): Promise<void> {
  const database = await ownDatabase('empty');
  const folders: Folder[] = Array.from({ length: NODES }, scratch);
  const ports = await Promise.all(folders.map(() => freePort()));
  const nodes: Spawned[] = [];
  const startNode = async (index: number, of?: Command) => {
    const [folder, port] = [folders[index], ports[index]];
    if (!folder || !port) throw new Error(`there is no node ${index}`);
    const settings = { ...env, DATABASE_URL: database.url, SLUICE_FUNCTIONS_DOMAIN: 'fn.localhost' };
    nodes[index] = await start(folder.path, port, settings, of);
    expect(nodes[index].output()).toContain('Sluice is ready');
  };
  const schema = async () => {
    const client = await database.client();
    return (await client.query<{ name: string }>('select max(name) as name from migrations')).rows[0]?.name;
  };
  let nginx: Nginx | undefined;
  try {
    for (let index = 0; index < NODES; index++) await startNode(index, before);
    const [first] = nodes;
    if (!first) throw new Error('no node was started');
    nginx = await startNginx(await freePort(), ports);
    const kinds = await kindsOf(first, nginx, at);
    if (before !== undefined) expect(await schema()).not.toBe(newestMigration());
    const traffic = startTraffic(kinds);
    await traffic.more(LEAST_REQUESTS / 4);
    for (const [index, node] of nodes.entries()) {
      expect(await node.kill('SIGTERM'), node.output()).toBe(0);
      await startNode(index);
      await traffic.more(LEAST_REQUESTS / 4);
    }
    await traffic.stop();
    expect(await schema()).toBe(newestMigration());
    console.log(`${at}: ${traffic.done()} requests, failed: ${JSON.stringify(traffic.failed())}`);
    expect(traffic.failed()).toEqual([]);
    const field = { sink, paths: [at], database: database.client };
    const recoveredMs = await whenRecovered(field, kinds.acknowledged);
    const verdict = await judge(`three nodes, ${at}`, field, kinds.acknowledged, recoveredMs);
    verdicts.push(verdict);
    expectGood(verdict);
    expect(verdict.duplicated).toBe(0);
  } finally {
    await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
    await nginx?.stop();
    for (const folder of folders) folder.remove();
    await database.drop();
  }
}

type Kinds = { acknowledged: string[]; ask: ((n: number) => Promise<unknown>)[] };

/** One request of each kind; each resolves with its status, or with an error. */
async function kindsOf(node: Spawned, { url }: Nginx, at: string): Promise<Kinds> {
  const target: Target = await makeTarget(node, [{ url: sink.url + at }]);
  const api = { url: node.url, api: (...call: Parameters<Spawned['call']>) => node.call(...call) };
  const app = await addConnectedApp(api as unknown as Parameters<typeof addConnectedApp>[0], sink.url);
  const body = { name: 'Echo', runtime: 'nodejs24.x', files: { 'index.ts': ECHO } };
  const made = await node.call<Reply<'functionCreate'>>('POST', '/functions', body);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const { host } = new URL(made.body.function.url);
  const acknowledged: string[] = [];
  const authorization = `Bearer ${KEY}`;
  return {
    acknowledged,
    ask: [
      async (n) => {
        const answer = await post({ url } as Spawned, target, `${at} ${n}`);
        if (typeof answer !== 'string') return answer;
        acknowledged.push(answer);
        return 200;
      },
      () => statusOf(url, '/api/triggers', { authorization }),
      () => statusOf(url, `/api/${app}/orders`, { authorization }),
      () => statusOf(url, '/', { host, authorization }),
    ],
  };
}

function statusOf(url: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers, timeout: 15_000 }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    })
      .on('timeout', () => reject(new Error('no response within 15 s')))
      .on('error', reject)
      .end();
  });
}

function startTraffic({ ask }: Kinds) {
  const failures = new Map<string, number>();
  let done = 0;
  let going = true;
  const caller = async () => {
    while (going) {
      const n = done++;
      const kind = n % ask.length;
      const answer = await ask[kind]?.(n).catch((error: Error) => error);
      if (answer === 200) continue;
      const failure = `${['event', 'read', 'call', 'function'][kind]}: ${answer}`;
      failures.set(failure, (failures.get(failure) ?? 0) + 1);
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  return {
    failed: () => [...failures],
    done: () => done,
    async more(count: number) {
      const enough = done + count;
      await vi.waitFor(() => expect(done).toBeGreaterThanOrEqual(enough), { timeout: 5 * MINUTES, interval: 20 });
    },
    async stop() {
      going = false;
      await callers;
    },
  };
}
