/** An MCP server through the gateway: with the SDK's client, and with calls of tools by name. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { getConnection } from '../../connections/test/connecting.ts';
import { addMcpApp, connectMcp, startGuard, startStub, submitMcp } from '../../connections/test/mcp-support.ts';
import { startMcpServer } from '../../test/mcp-server.ts';
import { startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Content = { type: string; text: string }[];
type Called = { is_error: boolean; content: Content; structured_content: unknown; message: string };

const everything = forAll(startMcpServer);
const guard = forAll(() => startGuard(everything.url, (token) => token === 'a-static-token'));
const service = serviceForAll();
let app: string;
let connection_id: string;
beforeAll(async () => {
  app = await addMcpApp(service, guard.url, 'token');
  connection_id = await connectMcp(service, app, { token: 'a-static-token' });
});

/** The SDK's client, with only the service's URL and key. */
async function openClient(of = app) {
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/api/${of}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${service.key}` } },
  });
  const client = new Client({ name: 'a-client', version: '1' }, { capabilities: {} });
  await client.connect(transport as Transport);
  return { client, transport };
}

describe('the SDK’s client through the gateway', () => {
  it('opens a session, lists the tools and calls one', async () => {
    const { client, transport } = await openClient();
    expect(transport.sessionId).toMatch(/.{8}/);
    expect(transport.protocolVersion).toBe('2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'mcp-servers/everything' });
    expect((await client.listTools()).tools).toHaveLength(13);
    const { content } = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
    await client.close();
    expect(guard.asked.at(-1)).toMatchObject({ method: 'DELETE', authorization: 'Bearer a-static-token' });
  });

  it('gets progress notifications while the tool runs', async () => {
    let finish = () => {};
    const stub = await startStub((req, res, rpc, message) => {
      if (req.method !== 'POST') return void res.writeHead(405).end();
      const { id, params } = message as { id?: number; params?: { _meta?: { progressToken: number } } };
      if (id === undefined) return void res.writeHead(202).end();
      const say = (more: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...more })}\n\n`;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      if (rpc === 'initialize') {
        const serverInfo = { name: 'stub', version: '1' };
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
        return void res.end(say({ id, result }));
      }
      if (rpc !== 'tools/call') return void res.end(say({ id, result: { tools: [] } }));
      for (const progress of [1, 2])
        res.write(say({ method: 'notifications/progress', params: { ...params?._meta, progress, total: 2 } }));
      finish = () => void res.end(say({ id, result: { content: [{ type: 'text', text: 'completed' }] } }));
    });
    const name = await addMcpApp(service, stub.url);
    await connectMcp(service, name);
    const { client } = await openClient(name);
    const steps: number[] = [];
    const call = client.callTool({ name: 'slow' }, undefined, {
      onprogress: ({ progress }) => {
        steps.push(progress);
        // The tool has not ended before.
        if (progress === 2) finish();
      },
    });
    expect((await call).content).toEqual([{ type: 'text', text: 'completed' }]);
    expect(steps).toEqual([1, 2]);
    await client.close();
    await stub.close();
  });

  it('resumes an interrupted stream', async () => {
    const { client, transport } = await openClient();
    const seen: string[] = [];
    const message = {
      jsonrpc: '2.0' as const,
      id: 99,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'x' } },
    };
    await transport.send(message, { onresumptiontoken: (token) => void seen.push(token) });
    await vi.waitFor(() => expect(seen).toHaveLength(2), 60_000);
    const again: unknown[] = [];
    client.onerror = ({ message }) => again.push(message);
    await transport.resumeStream(seen[0] ?? '');
    expect(guard.asked.at(-1)).toMatchObject({ method: 'GET', path: '/mcp', lastEventId: seen[0] });
    // The response arrives a second time, after the client has stopped waiting.
    await vi.waitFor(() => expect(again).toEqual([expect.stringContaining('"id":99')]), 60_000);
    await transport.terminateSession();
    await client.close();
  });

  it('gets the server’s own responses', async () => {
    const answer = await fetch(`${service.url}/api/${app}/mcp?a=%2F`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': 'no-such-session',
        'mcp-protocol-version': '2025-11-25',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    expect(guard.asked.at(-1)).toMatchObject({ path: '/mcp?a=%2F' });
  });
});

const call = (path: string, body?: unknown, more: { headers?: Record<string, string> } = {}) =>
  service.api<Called>('POST', `/${app}${path}`, body, more);

const calls = async () =>
  (await service.api<{ calls: Record<string, unknown>[] }>('GET', `/connections/${connection_id}/calls`)).body.calls;

describe('a tool called by its name', () => {
  it('returns its result', async () => {
    const { status, body, headers } = await call('/echo', { message: 'hello' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_error: false, content: [{ type: 'text', text: 'Echo: hello' }] });
    expect(headers.get('x-request-id')).toMatch(/.{8}/);
    expect(await call('/get-sum', { a: 2, b: 3 })).toMatchObject({
      body: { content: [{ text: expect.stringContaining('5') }] },
    });
    expect((await call('/get-tiny-image')).status).toBe(200);
  });

  it('returns its errors as results', async () => {
    expect(await call('/echo', { message: 7 })).toMatchObject({ status: 200, body: { is_error: true } });
  });

  it('must exist, and requires POST with a JSON object', async () => {
    const answers: [number, string, ReturnType<typeof call>][] = [
      [400, 'expected one of the server’s (echo, ', call('/no%2Dsuch-tool', {})],
      [400, 'expected a JSON object', call('/echo', [])],
      [400, 'expected JSON', call('/echo', '{"message":')],
      [400, 'nested at most', call('/echo', '['.repeat(100))],
      [415, 'application/json', call('/echo', 'message=x', { headers: { 'content-type': 'text/plain' } })],
      [413, 'at most', call('/echo', { message: 'x'.repeat(1024 * 1024) })],
      [405, 'Expected POST', service.api('GET', `/${app}/echo`)],
      [404, '/<app>/<tool>', call('/')],
      [400, 'invalid percent-encoding', call('/%zz', {})],
    ];
    for (const [status, words, asked] of answers) {
      const { status: got, body } = await asked;
      expect([got, body.message], words).toEqual([status, expect.stringContaining(words)]);
    }
  });

  it('is logged as a call, without its content', async () => {
    await call('/echo', { message: 'missing writes this down' });
    await vi.waitFor(async () => {
      const [latest] = await calls();
      expect(latest).toMatchObject({ method: 'POST', path: '/echo', status: 200, error: null });
      expect(JSON.stringify(latest)).not.toContain('missing writes');
    }, 60_000);
  });

  it('is canceled when its caller disconnects', async () => {
    guard.asked.length = 0;
    const leaving = new AbortController();
    const asked = fetch(`${service.url}/api/${app}/trigger-long-running-operation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: '{"duration":60,"steps":60}',
      signal: leaving.signal,
    }).catch(() => 'left');
    const did = () => guard.asked.map(({ method, rpc }) => rpc ?? method);
    await vi.waitFor(() => expect(did()).toContain('tools/call'), 60_000);
    leaving.abort();
    expect(await asked).toBe('left');
    await vi.waitFor(
      () => expect(did()).toEqual(expect.arrayContaining(['notifications/cancelled', 'DELETE'])),
      25_000,
    );
    await vi.waitFor(
      async () => expect((await calls())[0]).toMatchObject({ error: expect.stringContaining('closed the connection') }),
      25_000,
    );
  });
});

it('a long number in a result is returned unchanged', async () => {
  const stub = await startStub((_req, res, rpc) => {
    if (rpc?.startsWith('notifications/')) return res.writeHead(202).end();
    const result =
      rpc === 'initialize'
        ? '{"protocolVersion":"2025-11-25","capabilities":{}}'
        : '{"content":[],"tools":[],"structuredContent":{"id":12345678901234567891}}';
    const id = rpc === 'initialize' ? 1 : 2;
    res.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
  const name = await addMcpApp(service, stub.url);
  await connectMcp(service, name);
  const answer = await fetch(`${service.url}/api/${name}/look`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(await answer.text()).toContain('"structured_content":{"id":12345678901234567891}');
  await stub.close();
});

describe('a failure of the server', () => {
  it('is a 502 with a message, or a 504 on a timeout', async () => {
    const slow = await startService({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1' } });
    let silent = false;
    const stub = await startStub((_req, res, rpc) => {
      if (silent) return;
      const result = rpc === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {} } : { tools: [] };
      if (rpc?.startsWith('notifications/')) res.writeHead(202).end();
      else if (rpc === 'tools/call') res.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"');
      else
        res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: rpc === 'initialize' ? 1 : 2, result }));
    });
    const name = await addMcpApp(slow, stub.url);
    await connectMcp(slow, name);
    expect(await slow.api('POST', `/${name}/x`, {})).toMatchObject({
      status: 502,
      body: { message: 'The server’s response is not JSON.', code: 502 },
    });
    silent = true;
    expect(await slow.api('POST', `/${name}/x`, {})).toMatchObject({ status: 504, body: { type: 'Gateway Timeout' } });
    const { connection_id: tried_id, ...tried } = await submitMcp(slow, name);
    expect(tried).toMatchObject({ status: 502, body: { message: expect.stringContaining('in time') } });
    expect((await getConnection(slow, tried_id)).status).toBe('PENDING');
    await stub.close();
    expect(await slow.api('POST', `/${name}/x`, {})).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('can’t be reached') },
    });
    await slow.stop();
  });
});

describe('the server’s URL', () => {
  it('is used exactly: with a trailing slash, without one, and at the root', async () => {
    const paths: string[] = [];
    const stub = await startStub((req, res) => {
      paths.push(req.url ?? '');
      res.writeHead(404).end();
    });
    const { origin } = new URL(stub.url);
    for (const path of ['/a/mcp/', '/a/mcp', ''])
      await connectMcp(service, await addMcpApp(service, origin + path)).catch(() => undefined);
    expect([...new Set(paths)]).toEqual(['/a/mcp/', '/a/mcp', '/']);
    await stub.close();
  });
});
