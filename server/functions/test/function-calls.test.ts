import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { rawCall } from '../../gateway/test/raw-upstream.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { callFunction } from '../calls/function-calls.ts';
import { bearer, callAddress, ECHO, HELLO, makeFunction, PATIENTLY, type Run } from './functions-support.ts';

const service = serviceForAll();

describe('the URL', () => {
  it('requires the owner’s API key, which is never passed to the code', async () => {
    const fn = await makeFunction(service, ECHO, { visibility: 'PUBLIC' });
    const { key } = await service.secondAccount();
    for (const headers of [{}, bearer('slc_wrong'), bearer(key)]) {
      const refused = await callAddress(service, fn.url, { headers });
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.text)).toMatchObject({
        code: 401,
        type: 'Unauthorized',
        message: expect.stringContaining('API key'),
      });
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      expect(refused.headers['x-request-id']).toMatch(/.{8}/);
    }
    const answer = await callAddress(service, fn.url, { headers: bearer(service.key) });
    expect(JSON.parse(answer.text).headers).not.toHaveProperty('authorization');
  });

  it('may be public, and then passes any authorization but API keys', async () => {
    const fn = await makeFunction(service, ECHO, { visibility: 'UNLISTED', invoke_access: 'ANYONE' });
    const answer = await callAddress(service, fn.url, { headers: bearer('their own') });
    expect(JSON.parse(answer.text)).toMatchObject({
      url: `${fn.url}/`,
      headers: { authorization: 'Bearer their own' },
    });
    const account = await callAddress(service, fn.url, { headers: bearer(service.key) });
    expect([account.status, JSON.parse(account.text).headers.authorization]).toEqual([200, undefined]);
  });

  it('returns 404 for an unknown function', async () => {
    const answer = await callAddress(service, `http://missing.fn.localhost:${service.port}`, {
      headers: bearer(service.key),
    });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([404, 404]);
  });

  it('may end in a dot, and other hosts of the functions’ domain do not serve the console', async () => {
    const fn = await makeFunction(service, ECHO, { visibility: 'PUBLIC', invoke_access: 'ANYONE' });
    const { hostname, port } = new URL(fn.url);
    const ask = (host: string) =>
      new Promise<number | undefined>((ok, fail) =>
        request({ host: '127.0.0.1', port: service.port, headers: { host } }, (res) => ok(res.resume().statusCode))
          .on('error', fail)
          .end(),
      );
    expect(await ask(`${hostname}.:${port}`)).toBe(200);
    expect(await ask(`deeper.${hostname}:${port}`)).toBe(404);
    expect(await ask(`under_score.fn.localhost:${port}`)).toBe(404);
  });

  it('is taken from a request target in absolute form, whatever the Host header says', async () => {
    const fn = await makeFunction(
      service,
      'export default { fetch: (r) => new Response([r.url, r.headers.get("host")].join(" ")) };',
    );
    const key = `Authorization: Bearer ${service.key}`;
    const lines = [`GET ${fn.url}/api/account?a=%2F HTTP/1.1`, 'Host: 127.0.0.1', key, 'Connection: close', '', ''];
    const got = await rawCall(service.port, lines.join('\r\n')).until(() => false);
    expect(got).toContain(`\r\n${fn.url}/api/account?a=%2F ${new URL(fn.url).host}`);
  });

  it('returns 405 for a method that no code can handle', async () => {
    const fn = await makeFunction(service, ECHO);
    const answer = await callAddress(service, fn.url, { method: 'TRACE', headers: bearer(service.key) });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([405, 405]);
  });

  it('accepts no body above 100 MB', async () => {
    const fn = await makeFunction(service, ECHO);
    const headers = { ...bearer(service.key), 'content-length': String(100 * 1024 * 1024 + 1) };
    const answer = await new Promise<number>((resolve, reject) => {
      const call = request({
        host: '127.0.0.1',
        port: service.port,
        method: 'POST',
        headers: { ...headers, host: new URL(fn.url).host },
      });
      call.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        call.destroy();
      });
      call.on('error', reject);
      call.flushHeaders();
    });
    expect(answer).toBe(413);
  });

  it('responds while the caller is still sending, and accepts the next request on that connection', async () => {
    const fn = await makeFunction(
      service,
      `export default { fetch(request, env, ctx) {
         if (new URL(request.url).pathname === '/throw') throw new Error('unread');
         ctx.waitUntil(new Promise((resolve) => setTimeout(resolve, 20)));
         return new Response('unread');
       } };`,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(8_000_000);
    const ask = (path: string, headers: Record<string, string>, host = new URL(fn.url).host) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const { port } = service;
        request({ host: '127.0.0.1', port, method: 'POST', path, headers: { ...headers, host }, agent })
          .on('response', async (response) => resolve([response.statusCode, (await text(response)).slice(0, 6)]))
          .on('error', reject)
          .end(body);
      });
    try {
      const key = bearer(service.key);
      expect(await ask('/', key)).toEqual([200, 'unread']);
      expect(await ask('/throw', key)).toEqual([500, 'Intern']);
      expect(await ask('/', {})).toEqual([401, '{"mess']);
      expect(await ask('/', key, `missing.${new URL(fn.url).host.replace(/^[^.]+\./, '')}`)).toEqual([404, '{"mess']);
      expect(await ask('/', { ...key, connection: 'close' })).toEqual([200, 'unread']);
      const statuses = async () =>
        (await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs`)).body.runs.map(
          ({ status }) => status,
        );
      await expect.poll(statuses, PATIENTLY).toEqual(['OK', 'ERROR', 'OK']);
    } finally {
      agent.destroy();
    }
  });

  it('allows twenty concurrent runs, and rejects the next with a retry time', async () => {
    const code = `const waiting = []; export default { fetch: (r) => r.url.endsWith('/go')
      ? (waiting.forEach((go) => go(new Response('went'))), new Response('ok'))
      : new Promise((go) => { waiting.push(go); r.signal.addEventListener('abort', () => go(new Response('left'))); }) };`;
    const fn = await makeFunction(service, code, { timeout_seconds: 25 });
    const call = (path: string) => callAddress(service, fn.url, { path, headers: bearer(service.key) });
    const going = Array.from({ length: 19 }, () => call('/wait'));
    const running = async () =>
      (await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs?status=RUNNING`)).body.runs.length;
    await expect.poll(running, PATIENTLY).toBe(19);
    const impatient = new AbortController();
    const twentieth = callAddress(service, fn.url, {
      path: '/wait',
      headers: bearer(service.key),
      signal: impatient.signal,
    });
    twentieth.catch(() => undefined);
    await expect.poll(running, PATIENTLY).toBe(20);
    const refused = await call('/wait');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await makeFunction(service, HELLO);
    expect((await callAddress(service, other.url, { headers: bearer(service.key) })).status).toBe(200);
    impatient.abort();
    await expect(twentieth).rejects.toThrow();
    await expect.poll(running, PATIENTLY).toBe(19);
    expect((await call('/go')).text).toBe('ok');
    expect((await Promise.all(going)).map((answer) => answer.text)).toEqual(going.map(() => 'went'));
  });
});

describe('calls from inside the service', () => {
  const request = {
    method: 'POST',
    path: '/hook',
    rawQuery: 'a=1',
    headers: [['content-type', 'text/plain']] as [string, string][],
    body: Buffer.from('data'),
  };

  it('can use private functions of the account, and record their cause', async () => {
    const fn = await makeFunction(service, ECHO, { name: 'Called inside' });
    const cause = { trigger_id: newId(), event_id: newId(), delivery_id: newId(), attempt: 2 };
    const call = { account_id: service.account_id, label: 'called-inside', request, cause, deadlineMs: 10_000 };
    const answer = await callFunction(service.services, call);
    expect(answer).toMatchObject({ status: 200, outcome: 'OK', function_id: fn.function_id, body_truncated: false });
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      method: 'POST',
      url: `${fn.url}/hook?a=1`,
      body: 'data',
    });
    expect((await service.api<Run>('GET', `/functions/${fn.function_id}/runs/${answer.run_id}`)).body).toMatchObject({
      status: 'OK',
      cause,
    });
    const { account_id } = await service.secondAccount();
    await expect(callFunction(service.services, { ...call, account_id })).rejects.toMatchObject({ status: 401 });
    await expect(callFunction(service.services, { ...call, label: 'missing' })).rejects.toMatchObject({ status: 404 });
  });

  it('end with their deadline', async () => {
    await makeFunction(service, 'export default { fetch: () => new Promise(() => setTimeout(() => {}, 60_000)) };', {
      name: 'Slow inside',
    });
    const call = { account_id: service.account_id, label: 'slow-inside', request, cause: null, deadlineMs: 300 };
    expect(await callFunction(service.services, call)).toMatchObject({ status: 504, outcome: 'TIMEOUT' });
  });
});

it('ends its runs when the service stops', async () => {
  const code =
    'export default { fetch: () => { console.log("begun"); return new Promise(() => setTimeout(() => {}, 60_000)); } };';
  const fn = await makeFunction(service, code, { name: 'Cut off' });
  const request = { method: 'GET', path: '/', rawQuery: '', headers: [], body: Buffer.alloc(0) };
  const call = { account_id: service.account_id, label: 'cut-off', request, cause: null, deadlineMs: 60_000 };
  const answer = callFunction(service.services, call);
  const path = `/functions/${fn.function_id}/runs`;
  const first = async () => (await service.api<Reply<'runList'>>('GET', path)).body.runs[0];
  const lines = async () => {
    const run_id = (await first())?.run_id;
    return run_id ? (await service.api<Reply<'runLogList'>>('GET', `${path}/${run_id}/logs`)).body.events.length : 0;
  };
  await expect.poll(lines, PATIENTLY).toBe(2);
  await service.restart();
  expect(await answer).toMatchObject({ status: 503, outcome: 'ERROR' });
  expect(await first()).toMatchObject({ status: 'ERROR', error_message: expect.stringContaining('stopped') });
});
