/** A service of several processes, as operators use it: loaded, killed, stopped, measured. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { sinkForAll, spawnedForEach } from '../../test/shared-set-up.ts';
import { alive, descendants, freePort, KEY, type Spawned } from '../../test/spawned.ts';

const sink = sinkForAll();
const { folder, run: runWith } = spawnedForEach();
const run = (data: string, port: number, env: Record<string, string> = {}) =>
  runWith(data, port, { SLUICE_PROCESSES: '2', SLUICE_METRICS: 'on', ...env });

const processesOf = ({ pid }: Spawned) =>
  descendants(pid)
    .filter(({ command }) => command.includes('service-process'))
    .map((each) => each.pid);

/** A request over a new connection, which the kernel gives to one of the processes. */
function get(url: string, signal?: AbortSignal): Promise<{ status: number; text: string }> {
  return new Promise((ok, refuse) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const sent = request(url, { headers, agent: false, signal }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      ok({ status: response.statusCode ?? 0, text });
    });
    sent.on('error', refuse).end();
  });
}

const metric = async ({ url }: Spawned, name: string, signal?: AbortSignal) => {
  const { text } = await get(`${url}/metrics`, signal);
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
};
const allReady = (service: Spawned) => expect.poll(() => metric(service, 'sluice_processes')).toBe(2);

const CODE = { 'index.ts': 'export default { fetch: () => new Response("pong") };' };

async function makeTrigger(service: Spawned, url: string): Promise<string> {
  const { status, body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    destinations: [{ url }],
  });
  expect(status).toBe(200);
  return body.trigger.trigger_id;
}

describe('several processes', () => {
  it('serve one port, and what one stores the others know', async () => {
    const service = await run(folder(), await freePort(), { SLUICE_LOG_LEVEL: 'info' });
    await allReady(service);
    const { body } = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
      name: 'ping',
      runtime: 'nodejs24.x',
      files: CODE,
    });
    const at = `${service.url}/api/functions/${body.function.function_id}`;
    for (let n = 0; n < 40; n++) expect((await get(at)).status).toBe(200);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    const pids = lines.map((line) => (JSON.parse(line) as { pid: number }).pid);
    // With 40 connections, one of two processes gets none of them once in 500,000,000,000 times.
    expect(new Set(pids)).toEqual(new Set(processesOf(service)));
  });

  it('have one metrics page: counts of all together', async () => {
    const service = await run(folder(), await freePort());
    await allReady(service);
    expect(await metric(service, 'sluice_database_info')).toBe(1);
    expect(await metric(service, 'sluice_database_connections')).toBeGreaterThanOrEqual(2);
    const { text } = await get(`${service.url}/metrics`);
    const names = text.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(new Set(names).size).toBe(names.length);
    // One that does not answer delays the page, and is not on it. The kernel may give it the connection, too.
    const [stalled = 0] = processesOf(service);
    process.kill(stalled, 'SIGSTOP');
    await expect.poll(() => metric(service, 'sluice_processes', AbortSignal.timeout(3_000)).catch(() => 0)).toBe(1);
    process.kill(stalled, 'SIGCONT');
    await allReady(service);
  });

  it('are replaced when killed, one after the other, amid events: none acknowledged is lost', async () => {
    const service = await run(folder(), await freePort());
    await allReady(service);
    const trigger_id = await makeTrigger(service, `${sink.url}/all`);
    const acknowledged = new Set<string>();
    let busy = true;
    const senders = Array.from({ length: 4 }, async () => {
      while (busy) {
        const sent = await service
          .call<Reply<'triggerTest'>>('POST', `/triggers/${trigger_id}:test`)
          .catch(() => undefined);
        if (sent?.status === 200) acknowledged.add(sent.body.event.event_id);
      }
    });
    for (const pid of processesOf(service)) {
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => processesOf(service).length).toBe(2);
      await allReady(service);
    }
    busy = false;
    await Promise.all(senders);
    const delivered = () => new Set(sink.received('/all').map(({ headers }) => String(headers['webhook-id'])));
    await expect.poll(() => [...acknowledged].filter((id) => !delivered().has(id))).toEqual([]);
  });
});

describe('the main process', () => {
  it('stopped by SIGTERM lets requests finish, ends with 0 and leaves no process', async () => {
    const service = await run(folder(), await freePort());
    await allReady(service);
    const { body } = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
      name: 'slow',
      runtime: 'nodejs24.x',
      files: {
        'index.ts': `export default { async fetch() {
          await new Promise((done) => setTimeout(done, 4_000));
          return new Response('late');
        } };`,
      },
    });
    const at = `/functions/${body.function.function_id}`;
    const answers = Array.from({ length: 6 }, () => service.call('POST', `${at}:invoke`, {}));
    await expect
      .poll(async () => (await service.call<Reply<'runList'>>('GET', `${at}/runs`)).body.runs)
      .toHaveLength(6);
    const below = descendants(service.pid);
    const ended = service.kill('SIGTERM');
    const runs = await Promise.all(answers);
    expect(runs.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await ended).toBe(0);
    await expect.poll(() => alive(below)).toEqual([]);
  });

  it('killed takes all processes with it, and the next start sends at once what was in flight', async () => {
    const data = folder();
    const port = await freePort();
    const service = await run(data, port);
    await allReady(service);
    const trigger_id = await makeTrigger(service, `${sink.url}/held`);
    sink.answer('/held', () => {});
    const { body } = await service.call<Reply<'triggerTest'>>('POST', `/triggers/${trigger_id}:test`);
    await expect.poll(() => sink.received('/held')).toHaveLength(1);
    const below = descendants(service.pid);
    await service.kill('SIGKILL');
    await expect.poll(() => alive(below)).toEqual([]);
    sink.answer('/held', { status: 200 });
    const again = await run(data, port);
    const status = async () =>
      (await again.call<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`)).body.events[0]?.outcomes[0]
        ?.status;
    await expect.poll(status).toBe('SUCCEEDED');
    expect(sink.received('/held').map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill(body.event.event_id),
    );
  });

  it('refuses a port in use, also if another Sluice of several processes has it', async () => {
    const port = await freePort();
    const first = await run(folder(), port);
    const second = await run(folder(), port);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(new RegExp(`Port ${port} is in use.*\\n.*SLUICE_PORT`));
    expect((await first.call('GET', '/account')).status).toBe(200);
  });

  it('explains why the first process could not start, and leaves no process', async () => {
    const env = { DATABASE_URL: `postgresql://127.0.0.1:${await freePort()}/none` };
    const service = await run(folder(), await freePort(), env);
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(/Sluice could not start: .*database/i);
    expect(service.output()).not.toMatch(/\n\s+at /);
  });
});
