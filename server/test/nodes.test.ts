/** Several nodes on one database: what happens on one counts at once on the others. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { LiveChange } from '../../contract/live.ts';
import { newId } from '../lib/ids.ts';
import { addApp, connect } from './connecting.ts';
import { makeEvent, makeTrigger, only, patchDestination, whenAll } from './delivery-support.ts';
import { startFaultProxy, throughProxy } from './fault-proxy.ts';
import { bearer, callAddress, type HostedFunction, makeFunction, type Run } from './functions-support.ts';
import { type Service, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';
import { type Folder, freePort, type Spawned, scratch, start } from './spawned.ts';
import { openTail } from './tail-support.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };

let here: Service;
let there: Spawned;
let folder: Folder;
let sink: Sink;
let databaseUrl: string;
beforeAll(async () => {
  here = await startService({ env });
  sink = await startSink();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(here.services.db);
  databaseUrl = inject('databaseUrl').replace('{database}', only(rows).name);
  folder = scratch();
  there = await start(folder.path, await freePort(), { ...env, DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await there.kill('SIGTERM');
  folder.remove();
  await here.stop();
  await sink.close();
});

type Stream = { changes: LiveChange[]; events: string[]; close(): void };

/** A tab's stream from a node; resolves once it is open. */
async function listen(url: string): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/events:stream`, {
    headers: { authorization: `Bearer ${here.key}` },
    signal: abort.signal,
  });
  const stream: Stream = { changes: [], events: [], close: () => abort.abort() };
  const opened = Promise.withResolvers<void>();
  void (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const event = /^event: (.*)$/m.exec(message)?.[1];
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (event) stream.events.push(event);
        if (event === 'change') stream.changes.push(...(JSON.parse(data ?? '[]') as LiveChange[]));
      }
      opened.resolve();
    }
  })().catch(() => {});
  await opened.promise;
  return stream;
}

const call = (node: { url: string }, path: string, key = here.key) =>
  fetch(`${node.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } });

it('a tab hears on one node what was done on another, both ways', async () => {
  const tabHere = await listen(here.url);
  const tabThere = await listen(there.url);
  const { trigger_id } = await makeTrigger(here, [{ url: `${sink.url}/both` }]);
  const event = await makeEvent(here, trigger_id);
  await whenAll(here, event, 'SUCCEEDED');
  const { event_id } = event;
  await expect.poll(() => tabThere.changes).toContainEqual({ noun: 'event', event_id, trigger_id });
  await expect
    .poll(() => tabThere.changes)
    .toContainEqual(expect.objectContaining({ noun: 'delivery', event_id, status: 'SUCCEEDED' }));
  const answer = await fetch(`${there.url}/api/triggers/${trigger_id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Changed there' }),
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => tabHere.changes).toContainEqual({ noun: 'trigger', trigger_id });
  tabHere.close();
  tabThere.close();
});

it('a key revoked on one node opens nothing on another from the moment that hears of it', async () => {
  const tab = await listen(there.url);
  const begun = tab.changes.length;
  const made = await here.api<{ key: string; api_key: { key_id: string } }>('POST', '/api-keys', { name: 'short' });
  const { key, api_key } = made.body;
  expect((await call(there, '/account', key)).status).toBe(200);
  // The making is told of, too, and may come late.
  await expect.poll(() => tab.changes.slice(begun)).toContainEqual({ noun: 'account' });
  const before = tab.changes.length;
  await here.api('DELETE', `/api-keys/${api_key.key_id}`);
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'account' });
  expect((await call(there, '/account', key)).status).toBe(401);
  tab.close();
});

it('a connection deleted on one node carries no call on another from the moment that hears of it', async () => {
  const tab = await listen(there.url);
  const app = await addApp(here, sink.url);
  const connection_id = await connect(here, app, { api_key: 'secret-of-the-app' });
  expect((await call(there, `/${app}/x`)).status).toBe(200);
  await here.api('DELETE', `/connections/${connection_id}`);
  const deleted = { noun: 'connection', connection_id, status: 'DELETED' };
  await expect.poll(() => tab.changes).toContainEqual(deleted);
  expect((await call(there, `/${app}/x`)).status).not.toBe(200);
  tab.close();
});

/** The other node's doors, with the key of this one. */
const atThere = (): Service => ({
  ...here,
  url: there.url,
  port: Number(new URL(there.url).port),
  api: async (method, path, body) => {
    const response = await fetch(`${there.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as never };
  },
});

it('a variable set on one node is there for calls on another when that hears of it', async () => {
  const code = 'export default { fetch: (_, env) => new Response(env.NAME ?? "none") };';
  const fn = await makeFunction(atThere(), code);
  const said = async () => (await callAddress(atThere(), fn.url, { headers: bearer(here.key) })).text;
  expect(await said()).toBe('none');
  await here.api('PUT', `/functions/${fn.function_id}/env/NAME`, { value: 'set' });
  // Without that it would be remembered for 5 seconds.
  await expect.poll(said, { timeout: 4000 }).toBe('set');
});

it('an address whose trigger was deleted on one node is closed on another from the moment that hears of it', async () => {
  const tab = await listen(there.url);
  const { trigger_id, ingress } = await makeTrigger(here, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
  });
  const post = () => fetch(there.url + new URL(ingress?.url ?? '').pathname, { method: 'POST', body: '{}' });
  expect((await post()).status).toBe(200);
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'trigger', trigger_id });
  const before = tab.changes.length;
  await here.api('DELETE', `/triggers/${trigger_id}`);
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'trigger', trigger_id });
  expect((await post()).status).toBe(404);
  tab.close();
});

it('a destination mended through one node is tried at once by another that left it alone', async () => {
  const breaker = { failures: 1, firstPauseMs: 3_600_000, longestPauseMs: 3_600_000 };
  const other = await startService({ env: { ...env, DATABASE_URL: databaseUrl }, breaker, retryScheduleSeconds: [] });
  const { api } = here;
  const asOther = {
    ...other,
    api: ((...[method, path, body]: Parameters<typeof api>) =>
      other.api(method, path, body, { key: here.key })) as typeof api,
  };
  const trigger = await makeTrigger(asOther, [{ url: `${sink.url}/mended` }]);
  sink.answer('/mended', { status: 500 });
  await whenAll(asOther, await makeEvent(asOther, trigger.trigger_id), 'FAILED');
  expect(other.services.pipeline.lanes.figures().broken).toBe(1);
  await patchDestination(here, trigger.trigger_id, only(trigger.destinations).destination_id, { name: 'Mended' });
  await expect.poll(() => other.services.pipeline.lanes.figures().broken).toBe(0);
  await other.stop();
});

it('a burst that no message can hold is a word to read again', async () => {
  const tab = await listen(there.url);
  const { trigger_id } = await makeTrigger(here);
  for (let n = 0; n < 300; n++)
    here.services.live.publish(here.account_id, { noun: 'event', event_id: newId(), trigger_id });
  await expect.poll(() => tab.events).toContain('resync');
  tab.close();
});

it('a run of one node is followed on another while it goes on, and each of its lines comes once', async () => {
  const ask = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${there.url}/api/functions${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  const code = `export default { async fetch(request) {
    console.log('first');
    if (new URL(request.url).pathname === '/long') await new Promise((go) => setTimeout(go, 60_000));
    for (let i = 0; i < 700; i++) console.log('line', i);
    return new Response();
  } };`;
  const made = await ask('', { name: 'far', runtime: 'nodejs24.x', timeout_seconds: 90, files: { 'index.ts': code } });
  const { function: fn } = (await made.json()) as { function: HostedFunction };
  const tail = await openTail(here, fn);
  await tail.hello();
  const invokeThere = (path: string, signal?: AbortSignal) => ask(`/${fn.function_id}:invoke`, { path }, signal);
  const gone = new AbortController();
  const long = invokeThere('/long', gone.signal).catch(() => null);
  await tail.until((lines) => lines.some(({ message }) => message === 'first'));
  expect(tail.lines.map(({ message }) => message.split(' ')[0])).toEqual(['START', 'first']);
  const { run } = (await (await invokeThere('/')).json()) as { run: Run };
  expect(run.status).toBe('OK');
  await tail.until((lines) => lines.some(({ run_id, message }) => run_id === run.run_id && /^REPORT/.test(message)));
  const mine = tail.lines.filter(({ run_id }) => run_id === run.run_id);
  expect(mine.map(({ seq }) => seq)).toEqual(Array.from({ length: 704 }, (_, seq) => seq));
  gone.abort();
  await long;
  await tail.close();
});

it('a run that went on at a node that fell silent is over as soon as another notices', async () => {
  const fn = await makeFunction(here, 'export default { fetch: () => new Response() };');
  const at = `/functions/${fn.function_id}`;
  const { run_id } = (await here.api<{ run: Run }>('POST', `${at}:invoke`, {})).body.run;
  const [gone, { db }] = [newId(), here.services];
  await db.updateTable('runs').set({ status: 'RUNNING', node_id: gone }).where('run_id', '=', run_id).execute();
  await sql`insert into nodes (node_id, started_at, heartbeat_at) values (${gone}, now(), now() - interval '1 minute')`.execute(
    db,
  );
  const run = async () => (await here.api<Run>('GET', `${at}/runs/${run_id}`)).body;
  await expect
    .poll(run)
    .toMatchObject({ status: 'ERROR', error: { message: 'The service stopped before the run was over' } });
});

it('a node whose connection falls silent notices, connects again, and has its tabs read again', async () => {
  const { target, at } = throughProxy(databaseUrl);
  const proxy = await startFaultProxy(target);
  const other = await startService({ env: { ...env, DATABASE_URL: at(proxy.port) }, channelProbeMs: 100 });
  const tab = await listen(other.url);
  proxy.swallow();
  await makeTrigger(here);
  // Nothing told the node that nobody is there; asking did.
  await expect.poll(() => other.logged()).toContain('the other nodes cannot be heard');
  proxy.mend();
  await expect.poll(() => tab.events).toContain('resync');
  const { trigger_id } = await makeTrigger(here);
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'trigger', trigger_id });
  tab.close();
  await other.stop();
  await proxy.close();
});
