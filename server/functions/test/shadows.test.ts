import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, invoke, makeFunction, PATIENTLY } from './functions-support.ts';
import { begin, pathOf, publish, read, requestsOf, type Shadow, shadow, whenEnded } from './shadows-support.ts';

/** A server that no function of a shadow may reach. */
let reached: string[] = [];
const bait = forAll(async () => {
  const server = createServer((req, res) => {
    reached.push(req.url ?? '');
    res.end('reached');
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((ok) => {
        server.closeAllConnections();
        server.close(() => ok());
      }),
  };
});
const service = serviceForAll({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } });
const stranger = forAll(() => service.secondAccount());

const sum = (body: string) => `export default { async fetch(request) {
  const { items } = await request.json();
  ${body}
} };`;
const V1 = sum(
  "console.log('items', items.length); return Response.json({ total: items.reduce((a, b) => a + b, 0) });",
);

async function made(code = V1, bodies = ['{"items":[1,2]}', '{"items":[3]}', '{"items":[]}']): Promise<HostedFunction> {
  // A run of a shadow takes at most 30 s.
  const fn = await makeFunction(service, code, { timeout_seconds: 60 });
  for (const body of bodies) await invoke(service, fn, { body });
  return fn;
}
/** Its runs end when the shadow is canceled, or at their time limit. */
const SLOW = sum(
  'await new Promise((end) => request.signal.addEventListener("abort", end)); return new Response("late");',
);
async function beginSlow(fn: HostedFunction) {
  const begun = await begin(service, fn, { files: { 'index.ts': SLOW } });
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  return begun.body.shadow;
}
const cancel = (shadow: Shadow) => service.api<Reply<'shadowCancel'>>('POST', `${pathOf(shadow)}:cancel`);
const get = async (fn: HostedFunction) =>
  (await service.api<Reply<'functionGet'>>('GET', `/functions/${fn.function_id}`)).body.function;

describe('a shadow', () => {
  it('finds what a version does differently, and leaves no run behind', async () => {
    const fn = await made();
    const version = await publish(
      service,
      fn,
      sum(`console.log('count', items.length);
        return Response.json({ total: items.reduce((a, b) => a + b) + (items.length === 1 ? 1 : 0) });`),
    );
    const before = (await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs`)).body.runs;
    const detail = await shadow(service, fn, { version, last: 10 });
    expect(detail.shadow).toMatchObject({
      status: 'COMPLETED',
      verdict: 'FAILED',
      version: 2,
      live_version: 1,
      total: 3,
      done: 3,
      skipped: 0,
      findings: [{ code: 'NEW_FAILURES', message: '1 request succeeded with version 1 and failed with version 2.' }],
    });
    expect(detail.matrix).toEqual([
      { before: 'SUCCESS', after: 'FAILURE', count: 1 },
      { before: 'SUCCESS', after: 'SUCCESS', count: 2 },
    ]);
    expect(detail.responses).toEqual({ same: 1, different: 2, varying: 0 });
    expect(detail.logs).toEqual({ same: 0, different: 3, varying: 0 });
    expect(detail.durations.after.p95_ms).toBeGreaterThan(0);
    expect(detail.hosts).toEqual([]);

    const requests = await requestsOf(service, detail.shadow);
    expect(requests.map(({ run_id }) => run_id)).toEqual(before.map(({ run_id }) => run_id));
    const [empty] = requests;
    expect(empty).toMatchObject({
      differs: true,
      stored: { outcome: 'SUCCESS', version: 1, response_status: 200 },
      before: { outcome: 'SUCCESS', response_status: 200 },
      after: { outcome: 'FAILURE', response_status: 500, error: { name: 'TypeError' } },
    });
    const one = await service.api<Reply<'shadowRequestGet'>>(
      'GET',
      `${pathOf(detail.shadow)}/requests/${empty?.run_id}`,
    );
    expect(one.body.request.before).toMatchObject({
      body: '{"total":0}',
      headers: { 'content-type': 'application/json' },
      log: [{ level: 'info', message: 'items 0' }],
      truncated: false,
    });
    expect(one.body.request.after?.log.at(-1)?.message).toContain('index.ts');

    const runs = await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs`);
    expect(runs.body.runs).toEqual(before);
    expect((await get(fn)).version).toBe(1);
  });

  it('publishes code without serving it, and deploys it when it passes', async () => {
    const fn = await made();
    const files = { 'index.ts': V1.replace('a + b', 'b + a') };
    const budget = { no_changed_responses: true, no_new_hosts: true, max_slower_percent: 10_000 };
    const begun = await begin(service, fn, { files, message: 'Add', budget, deploy: true });
    expect(begun.body.version).toMatchObject({ version: 2, serving: false, message: 'Add' });
    const { shadow: ended, responses } = await whenEnded(service, begun.body.shadow);
    expect(ended).toMatchObject({ verdict: 'PASSED', findings: [], reason: null });
    expect(ended.deployed_at).toEqual(expect.any(String));
    expect(responses).toEqual({ same: 3, different: 0, varying: 0 });
    expect((await get(fn)).version).toBe(2);
    const audit = (await service.api<Reply<'auditList'>>('GET', '/audit')).body.entries;
    expect(audit[0]).toMatchObject({ operation: 'functionUpdate', resource_id: fn.function_id });
    expect(audit[0]?.actor_name).toContain('Shadow of ');
  });

  it('does not deploy what fails, or a version that another deploy overtook', async () => {
    const fn = await made();
    const broken = await begin(service, fn, { files: { 'index.ts': sum('throw new Error("no")') }, deploy: true });
    const failed = await whenEnded(service, broken.body.shadow);
    expect(failed.shadow).toMatchObject({ verdict: 'FAILED', deployed_at: null });
    expect((await get(fn)).version).toBe(1);

    // A node runs two shadows at the same time: the third one waits.
    const running = [await beginSlow(await made()), await beginSlow(await made())];
    const other = sum('return Response.json({ total: 0 });');
    const waiting = await begin(service, fn, { files: { 'index.ts': other }, deploy: true });
    await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': V1 } });
    for (const each of running) await cancel(each);
    const late = await whenEnded(service, waiting.body.shadow);
    expect(late.shadow).toMatchObject({ verdict: 'PASSED', deployed_at: null });
    expect(late.shadow.reason).toContain('version 4 became live while the shadow ran');
    expect((await get(fn)).version).toBe(4);
  });

  it('recognizes what varies with the live version, too', async () => {
    const random = sum('return Response.json({ at: crypto.randomUUID(), n: items.length });');
    const fn = await made(random);
    const version = await publish(service, fn, `${random}\n// the same`);
    const detail = await shadow(service, fn, { version, budget: { no_changed_responses: true } });
    expect(detail).toMatchObject({
      shadow: { verdict: 'PASSED' },
      responses: { same: 0, different: 0, varying: 3 },
      logs: { same: 3 },
    });
    expect(await requestsOf(service, detail.shadow, '&differs=true')).toEqual([]);
  });

  it('selects requests by time, status, text and number', async () => {
    const fn = await made(sum('if (items.length === 0) throw new Error("empty list"); return new Response("ok");'));
    const version = await publish(service, fn, sum('return new Response("ok");'));
    const failed = await shadow(service, fn, { version, filter: { status: 'FAILED' } });
    expect(failed).toMatchObject({
      shadow: { total: 1, verdict: 'PASSED', filter: { status: 'FAILED' } },
      matrix: [{ before: 'FAILURE', after: 'SUCCESS', count: 1 }],
    });
    const found = await shadow(service, fn, { version, filter: { q: '[3]' } });
    expect(found.shadow).toMatchObject({ total: 1 });
    expect((await shadow(service, fn, { version, last: 2 })).shadow.total).toBe(2);
    const none = await begin(service, fn, { version, filter: { until: '2020-01-01T00:00:00Z' } });
    expect([none.status, none.body.message]).toEqual([400, expect.stringMatching(/^filter: /)]);
    const listed = await service.api<Reply<'shadowList'>>('GET', `/functions/${fn.function_id}/shadows?limit=2`);
    expect(listed.body.shadows.map(({ total }) => total)).toEqual([2, 1]);
    expect(listed.body.next_token).not.toBeNull();
  });
});

describe('outward calls', () => {
  const ways = (port: number) => ({
    fetch: `await fetch('http://127.0.0.1:${port}/fetch')`,
    name: `await fetch('http://localhost:${port}/name')`,
    public: `await fetch('https://api.example.com/v1')`,
    tcp: `await Deno.connect({ hostname: '127.0.0.1', port: ${port} })`,
    node: `await new Promise((ok, no) => http.get('http://127.0.0.1:${port}/node', ok).on('error', no))`,
    socket: `await new Promise((ok, no) => net.connect(${port}, '127.0.0.1', ok).on('error', no))`,
    websocket: `await new Promise((ok, no) => { const s = new WebSocket('ws://127.0.0.1:${port}/ws'); s.onopen = ok; s.onerror = no; })`,
    dns: `await Deno.resolveDns('dns.example.com', 'A')`,
    program: `new Deno.Command('curl', { args: ['http://127.0.0.1:${port}/curl'] }).outputSync()`,
  });
  const code = (port: number) => `import http from 'node:http';
    import net from 'node:net';
    const ways = { ${Object.entries(ways(port))
      .map(([name, way]) => `${name}: async () => { ${way}; }`)
      .join(',\n')} };
    export default { async fetch(request, env) {
      const name = await request.text();
      if (name === 'gateway') {
        const answer = await fetch(env.GATEWAY_URL + '/github/user', { headers: { authorization: 'Bearer ' + env.GATEWAY_TOKEN } });
        if (!answer.ok) throw new Error((await answer.json()).message);
      } else await ways[name]();
      return new Response('called');
    } };`;
  const quiet = "export default { fetch: () => new Response('called') };";

  it('are blocked, named, and fail with an error that says so', async () => {
    const names = [...Object.keys(ways(0)), 'gateway'];
    const fn = await made(quiet, names);
    reached = [];
    const version = await publish(service, fn, code(bait.port));
    const detail = await shadow(service, fn, { version, budget: { no_new_hosts: true } });
    expect(reached).toEqual([]);
    expect(detail.matrix).toEqual([
      { before: 'SUCCESS', after: 'BLOCKED', count: names.length - 1 },
      { before: 'SUCCESS', after: 'FAILURE', count: 1 },
    ]);
    expect(detail.shadow.findings.map(({ code }) => code)).toEqual(['NEW_FAILURES', 'NEW_HOSTS']);
    const hosts = Object.fromEntries(detail.hosts.map(({ host, before, after }) => [host, [before, after]]));
    expect(hosts).toEqual({
      [`127.0.0.1:${bait.port}`]: [0, 5],
      [`localhost:${bait.port}`]: [0, 1],
      'api.example.com:443': [0, 1],
      'dns.example.com:53': [0, 1],
      'gateway: github': [0, 1],
    });
    const requests = await requestsOf(service, detail.shadow);
    const errors = requests.map(({ after }) => after?.error?.message ?? '');
    expect(errors.find((message) => message.includes('api.example.com'))).toBe(
      'fetch failed: The connection to api.example.com:443 was refused: the network policy of this run does not allow it',
    );
    expect(errors.find((message) => message.includes('gateway'))).toBe(
      'Calls through the gateway are blocked in a shadow run: github was not called.',
    );
  });

  it('that every request needs leave the verdict open', async () => {
    const calls = "export default { fetch: () => fetch('https://api.example.com/') };";
    const fn = await made(calls, ['a', 'b']);
    const version = await publish(service, fn, `${calls}\n// again`);
    const { shadow: ended } = await shadow(service, fn, { version, deploy: true });
    expect(ended).toMatchObject({ verdict: 'UNDECIDED', deployed_at: null });
    expect(ended.findings.map(({ code }) => code)).toEqual(['ALL_BLOCKED']);
  });
});

describe('limits', () => {
  it('a version that loops is stopped, run by run and then for good, and live calls are not delayed', async () => {
    const fn = await makeFunction(service, V1, { timeout_seconds: 1 });
    for (let n = 0; n < 12; n++) await invoke(service, fn, { body: `{"items":[${n}]}` });
    const version = await publish(service, fn, sum('for (;;);'));
    const begun = await begin(service, fn, { version });
    const live = await invoke(service, fn, { body: '{"items":[7]}' });
    expect(live.response?.body).toEqual({ total: 7 });
    const { shadow: ended, matrix } = await whenEnded(service, begun.body.shadow);
    expect(ended).toMatchObject({ status: 'STOPPED', verdict: 'FAILED' });
    expect(ended.reason).toMatch(/^[56] runs of version 2 timed out\.$/);
    expect(ended.done).toBeLessThan(8);
    expect(matrix).toEqual([{ before: 'SUCCESS', after: 'FAILURE', count: ended.done }]);
  });

  it('long logs and responses are kept in part and compared as a whole', async () => {
    const flood = (last: string) =>
      sum(`for (let n = 0; n < 5000; n++) console.log('line'); return new Response('x'.repeat(1e6) + '${last}');`);
    const fn = await made(flood('a'), ['{"items":[]}']);
    const version = await publish(service, fn, flood('b'));
    const detail = await shadow(service, fn, { version });
    expect(detail).toMatchObject({ responses: { different: 1 }, logs: { same: 1 } });
    const [request] = await requestsOf(service, detail.shadow);
    const { body } = await service.api<Reply<'shadowRequestGet'>>(
      'GET',
      `${pathOf(detail.shadow)}/requests/${request?.run_id}`,
    );
    expect(body.request.after).toMatchObject({ truncated: true, body_bytes: 1_000_001 });
    expect(body.request.after?.body).toHaveLength(16_384);
    expect(body.request.after?.log).toHaveLength(200);
  });

  it('one shadow of a function and three of an account are in progress, and can be canceled', async () => {
    const functions = [await made(), await made(), await made(), await made()];
    const shadows: Shadow[] = [];
    for (const fn of functions.slice(0, 3)) shadows.push(await beginSlow(fn));
    const [first, , , fourth] = functions;
    const version = await publish(service, first as HostedFunction, SLOW);
    const second = await begin(service, first as HostedFunction, { version });
    expect([second.status, second.body.message]).toEqual([409, expect.stringContaining('is in progress')]);
    const another = await begin(service, fourth as HostedFunction, { files: { 'index.ts': SLOW } });
    expect([another.status, another.body.message]).toEqual([429, expect.stringContaining('3 shadows in progress')]);
    // Nothing was published for the shadow that was refused.
    expect(
      (await service.api<Reply<'versionList'>>('GET', `/functions/${fourth?.function_id}/versions`)).body.versions,
    ).toHaveLength(1);
    for (const each of shadows) {
      expect((await cancel(each)).body.shadow).toMatchObject({ status: 'CANCELED', verdict: null });
    }
    // Their processes end, and no result follows.
    const isShadow = ({ key }: { key: string }) =>
      functions.some(({ function_id }) => key.startsWith(function_id)) && key.endsWith('/shadow');
    await expect.poll(() => service.services.runtime.stats().processes.filter(isShadow), PATIENTLY).toEqual([]);
    for (const each of shadows) expect((await read(service, each)).shadow.done).toBe(0);
  });
});

describe('access', () => {
  it('another account sees and starts nothing', async () => {
    const fn = await made();
    const version = await publish(service, fn, `${V1}\n//`);
    const { shadow: own } = await shadow(service, fn, { version });
    const [request] = await requestsOf(service, own);
    const key = { key: stranger.key };
    for (const [method, path, body] of [
      ['POST', `/functions/${fn.function_id}/shadows`, { version }],
      ['GET', `/functions/${fn.function_id}/shadows`, undefined],
      ['GET', pathOf(own), undefined],
      ['POST', `${pathOf(own)}:cancel`, undefined],
      ['GET', `${pathOf(own)}/requests`, undefined],
      ['GET', `${pathOf(own)}/requests/${request?.run_id}`, undefined],
    ] as const)
      expect([path, (await service.api(method, path, body, key)).status]).toEqual([path, 404]);
    // Nor through one of their functions.
    const theirs = await makeFunction(service, V1, {}, stranger.key);
    const path = pathOf({ function_id: theirs.function_id, shadow_id: own.shadow_id });
    expect((await service.api('GET', path, undefined, key)).status).toBe(404);
  });

  it.each([
    [{}, 'version: expected either version or files'],
    [{ version: 1, files: { 'index.ts': V1 } }, 'version: expected either version or files'],
    [{ version: 1 }, 'version: expected one that is not live; version 1 is live'],
    [{ version: 9 }, "version: expected one of this function's versions, 1 to 2"],
    [{ version: 2, handler: 'index.default' }, 'handler: expected only with files'],
    [{ version: 2, last: 201 }, 'last: expected a whole number from 1 to 200'],
    [{ version: 2, last: 0 }, 'last: expected a whole number from 1 to 200'],
    [{ version: 2, budget: { max_slower_percent: -1 } }, expect.stringMatching(/^budget\.max_slower_percent: /)],
    [{ version: 2, budget: { cost: 1 } }, expect.stringMatching(/^budget/)],
    [{ version: 2, filter: { problem_id: newId() } }, expect.stringMatching(/^filter\.problem_id: /)],
    [{ version: 2, filter: { since: 'yesterday' } }, expect.stringMatching(/^filter\.since: /)],
    [{ files: { 'index.ts': 'export default {' } }, expect.stringMatching(/^files: /)],
  ])('%j is a 400', async (body, message) => {
    const fn = await made(V1, ['{"items":[]}']);
    await publish(service, fn, `${V1}\n//`);
    const answer = await begin(service, fn, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    const versions = await service.api<Reply<'versionList'>>('GET', `/functions/${fn.function_id}/versions`);
    expect(versions.body.versions).toHaveLength(2);
  });

  it('a version published without serving is not shown to others', async () => {
    const fn = await makeFunction(service, V1, { visibility: 'PUBLIC' });
    const version = await publish(service, fn, `${V1}\n//`);
    const path = `/functions/${fn.function_id}/versions`;
    const seen = await service.api<Reply<'versionList'>>('GET', path, undefined, { key: stranger.key });
    expect(seen.body.versions.map((each) => each.version)).toEqual([1]);
    await service.api('PATCH', `/functions/${fn.function_id}`, { version });
    const then = await service.api<Reply<'versionList'>>('GET', path, undefined, { key: stranger.key });
    expect(then.body.versions.map((each) => each.version)).toEqual([2, 1]);
  });
});
