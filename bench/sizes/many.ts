/** An account with many triggers and connections: its lists, its start, its memory, and the intake over all triggers. */
import { freePort, KEY, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { type Receiver, send } from '../deliveries/load.ts';
import { SOURCE_SECRET, VERIFICATION } from '../deliveries/message.ts';
import { pssMb } from '../hosted/host.ts';
import { quantile } from '../quantile.ts';
import { SETTINGS } from '../settings.ts';

const CLIENTS = 8;
const ROUNDS = 40;
const WARM_SECONDS = 10;

export type Many = {
  count: number;
  startSeconds: number;
  memoryMb: number;
  eventsPerSecond: number;
  pages: { name: string; p50Ms: number; p95Ms: number }[];
};

/** Makes `count` triggers with a destination each and as many connections, restarts the service, and measures it. */
export async function many(receiver: Receiver, count: number, seconds: number): Promise<Many> {
  const folder = scratch();
  const port = await freePort();
  const begin = () => start(folder.path, port, SETTINGS);
  try {
    const first = await begin();
    const paths = await makeTriggers(first, receiver.url, count);
    await makeConnections(first, count);
    await first.kill('SIGTERM');
    const startedMs = performance.now();
    const service = await begin();
    const startSeconds = (performance.now() - startedMs) / 1000;
    try {
      const pages = await readPages(service);
      const target = { origin: service.url, paths };
      await send(receiver, target, { seconds: WARM_SECONDS });
      const { acknowledged, seconds: took } = await send(receiver, target, { seconds });
      const memoryMb = pssMb(service.pid);
      return { count, startSeconds, memoryMb, eventsPerSecond: acknowledged / took, pages };
    } finally {
      await service.kill('SIGTERM');
    }
  } finally {
    folder.remove();
  }
}

async function makeTriggers(service: Spawned, receiver: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  await inTurn(count, async (n) => {
    const { body } = await service.call<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', {
      source: 'webhook',
      event_type: 'webhook.received',
      name: `Orders ${n}`,
      parameters: VERIFICATION,
      secret: SOURCE_SECRET,
      destinations: [{ url: `${receiver}/d/${n}`, name: `Receiver ${n}` }],
    });
    paths.push(new URL(body.trigger.ingress.url).pathname);
  });
  return paths;
}

async function makeConnections(service: Spawned, count: number): Promise<void> {
  const app = { app: 'ledger', name: 'Ledger', base_url: 'http://127.0.0.1:9' };
  const methods = [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }];
  await service.call('POST', '/apps', { ...app, methods });
  await inTurn(count, async (n) => {
    type Made = { connection_id: string; url: string };
    const { status, body } = await service.call<Made>('POST', '/connections', {
      app: 'ledger',
      name: `Customer ${n}`,
      tags: [`group-${n % 100}`],
      end_user: { id: `user-${n}` },
    });
    if (status !== 200) throw new Error(`a connection was not made: ${status} ${JSON.stringify(body)}`);
    const { body: read } = await service.call<{ connection: { url: string } }>(
      'GET',
      `/connections/${body.connection_id}`,
    );
    const token = new URL(read.connection.url).searchParams.get('token');
    const answer = await fetch(`${service.url}/connect/api/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'API_KEY', fields: { api_key: `key ${n}` } }),
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`a connection was not completed: ${answer.status}`);
  });
}

/** Calls `make` for 0, 1, … with CLIENTS calls at once. */
async function inTurn(count: number, make: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await make(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

const PAGES: readonly [name: string, path: string][] = [
  ['triggers', '/triggers'],
  ['triggers, by name', '/triggers?q=Orders%2077'],
  ['statistics of every trigger', '/triggers:stats?range=24h'],
  ['connections', '/connections'],
  ['connections, a page', '/connections?limit=50'],
  ['connections, failed', '/connections?status=FAILED'],
  ['connections, by text', '/connections?limit=50&q=Customer%2077'],
  ['connections, by tag', '/connections?limit=50&tag=group-7'],
  ['connections, by end user', '/connections?limit=50&end_user=user-77'],
  ['events', '/events'],
  ['account', '/account'],
];

async function readPages(service: Spawned): Promise<Many['pages']> {
  const took = PAGES.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [name, path]] of PAGES.entries()) {
      const startedMs = performance.now();
      const answer = await fetch(`${service.url}/api${path}`, { headers: { authorization: `Bearer ${KEY}` } });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
      took[index]?.push(performance.now() - startedMs);
    }
  return PAGES.map(([name], index) => {
    const times = took[index] ?? [];
    return { name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) };
  });
}
