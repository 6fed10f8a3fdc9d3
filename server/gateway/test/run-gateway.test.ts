/** Functions that call connected apps through the gateway with the token of their run. */
import { Agent } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect, newConnection } from '../../connections/test/connecting.ts';
import { startApp } from '../../connections/test/custom-support.ts';
import { invoke, makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

const upstream = forAll(() =>
  startApp((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on('end', () => {
      res.writeHead(201, { 'content-type': 'application/json', 'x-native': 'yes' });
      res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
    });
  }),
);
const service = serviceForAll();
let app = '';
let connection_id = '';
beforeAll(async () => {
  app = await addApp(service, upstream.url);
  connection_id = await connect(service, app, { api_key: 'native-key' });
});

const CALLS = `
const call = async (target, init = {}) => {
  const answer = await fetch(process.env.GATEWAY_URL + target, {
    ...init, headers: { authorization: 'Bearer ' + process.env.GATEWAY_TOKEN, ...init.headers },
  });
  return { status: answer.status, native: answer.headers.get('x-native'), body: await answer.json() };
};`;
const calling = (work: string) => `${CALLS}
export default { async fetch(request, env) { return Response.json(${work}); } };`;
const run = async (code: string, more: Partial<Body<'functionCreate'>> = {}, body: Body<'functionInvoke'> = {}) => {
  const fn = await makeFunction(service, code, more);
  const done = await invoke(service, fn, body);
  expect(done.error).toBeNull();
  return {
    fn,
    run: done,
    answer: done.response?.body as { status: number; native: string; body: Record<string, unknown> },
  };
};

describe('a function', () => {
  it.each<Partial<Body<'functionCreate'>>>([
    { network_policy: 'ALLOW_ALL' },
    { network_policy: 'DENY_ALL' },
    { network_policy: 'ALLOW_LIST', allowed_hosts: ['api.example.com'] },
  ])('with %j calls a connected app, whose response is unchanged', async (policy) => {
    const work = `await call('/${app}/v1/things?a=%2F', { method: 'POST', body: 'hi', headers: { 'x-own': '1' } })`;
    const { answer } = await run(calling(work), policy);
    expect(answer).toMatchObject({
      status: 201,
      native: 'yes',
      body: { method: 'POST', url: '/v1/things?a=%2F', body: 'hi', headers: { 'x-own': '1' } },
    });
    expect(answer.body['headers']).toMatchObject({ authorization: 'Bearer native-key' });
  });

  it('has its calls listed with the run', async () => {
    const { fn, run: done } = await run(calling(`await call('/${app}/chain?secret=1')`));
    const at = `/functions/${fn.function_id}/runs/${done.run_id}/calls`;
    const calls = async () => (await service.api<Reply<'runCallList'>>('GET', at)).body.calls;
    await expect.poll(calls, PATIENTLY).toHaveLength(1);
    expect((await calls())[0]).toMatchObject({ app, connection_id, run_id: done.run_id, path: '/chain', status: 201 });
    const { key } = await service.secondAccount();
    expect((await service.api('GET', at, undefined, { key })).status).toBe(404);
  });

  it('has the URL and the token in its environment', async () => {
    const code = `import process from 'node:process';
export default { fetch: (request, env) => Response.json([
  [env.GATEWAY_URL, process.env.GATEWAY_URL, Deno.env.get('GATEWAY_URL'), Deno.env.toObject().GATEWAY_URL],
  new Set([env.GATEWAY_TOKEN, process.env.GATEWAY_TOKEN, Deno.env.get('GATEWAY_TOKEN'), { ...process.env }.GATEWAY_TOKEN]).size,
  'GATEWAY_TOKEN' in process.env,
]) };`;
    const { run: done } = await run(code);
    const url = 'http://gateway.internal';
    expect(done.response?.body).toEqual([[url, url, url, url], 1, true]);
  });

  it('has a separate token in each of fifty concurrent runs', async () => {
    const fn = await makeFunction(
      service,
      `export default { async fetch() {
        const before = process.env.GATEWAY_TOKEN;
        await new Promise((ok) => setTimeout(ok, 20));
        return Response.json([before, process.env.GATEWAY_TOKEN]);
      } };`,
    );
    const pairs: string[][] = [];
    for (let round = 0; round < 3; round++)
      await Promise.all(
        Array.from({ length: 17 }, async () => {
          pairs.push((await invoke(service, fn)).response?.body as string[]);
        }),
      );
    expect(pairs.filter(([before, after]) => before !== after)).toEqual([]);
    expect(new Set(pairs.flat()).size).toBe(pairs.length);
  });

  it('reaches only connections of the same account', async () => {
    const { key } = await service.secondAccount();
    const { body } = await service.api<{ connection_id: string }>('POST', '/connections', { app: 'github' }, { key });
    const named = `await call('/github/user', { headers: { 'service-connection': '${body.connection_id}' } })`;
    expect((await run(calling(named))).answer).toMatchObject({ status: 404, body: { type: 'Not Found' } });
    await newConnection(service, app);
    expect((await run(calling(`await call('/no-such-app/x')`))).answer.status).toBe(400);
  });

  it('can’t define variables with the names of the service', async () => {
    const fn = await makeFunction(service);
    const env = [{ key: 'GATEWAY_TOKEN', value: 'x' }];
    const answer = await service.api<{ message: string }>('POST', `/functions/${fn.function_id}/env`, { env });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^env\.0\.key: expected another name/);
  });
});

describe('a token', () => {
  const dispatcher = () => new Agent({ connect: { socketPath: service.services.runtime.gatewaySocket } });
  const ask = async (token: string, path = `/${app}/x`) => {
    const agent = dispatcher();
    const answer = await agent.request({
      origin: 'http://gateway.internal',
      path,
      method: 'GET',
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    await answer.body.dump();
    await agent.close();
    return answer.statusCode;
  };

  it('is invalid after its run, and for other endpoints', async () => {
    const { run: done } = await run('export default { fetch: () => new Response(process.env.GATEWAY_TOKEN) };');
    const token = String(done.response?.body);
    expect(token).toMatch(/^slr_/);
    expect(await ask(token)).toBe(401);
    expect((await service.api('GET', '/account', undefined, { key: token })).status).toBe(401);
  });

  it('is required by the socket: API keys and missing tokens are rejected', async () => {
    expect(await ask('')).toBe(401);
    expect(await ask(service.key)).toBe(401);
    expect(await ask(service.key, '/')).toBe(401);
  });
});
