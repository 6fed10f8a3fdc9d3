/** The tools of a real MCP server, listed and called through the API. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addApp, connect, getConnection, newConnection } from '../../connections/test/connecting.ts';
import {
  addMcpApp,
  connectMcp,
  startGuard,
  startStub,
  startToolServer,
  submitMcp,
} from '../../connections/test/mcp-support.ts';
import { startMcpServer } from '../../test/mcp-server.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type ToolList = {
  server: { name: string; version: string; protocol_version: string };
  tools: {
    name: string;
    title: string | null;
    description: string | null;
    input_schema: Record<string, unknown>;
    read_only: boolean | null;
    destructive: boolean | null;
  }[];
};
type Called = {
  result: { is_error: boolean; content: Record<string, unknown>[]; structured_content: unknown; duration_ms: number };
};

const everything = forAll(startMcpServer);
const guard = forAll(() => startGuard(everything.url, (token) => token === 'a-static-token'));
const service = serviceForAll();
let open: string;
let guarded: string;
beforeAll(async () => {
  open = await connectMcp(service, await addMcpApp(service, everything.url));
  guarded = await connectMcp(service, await addMcpApp(service, guard.url, 'token'), { token: 'a-static-token' });
});

const list = (connection_id: string) => service.api<ToolList>('GET', `/connections/${connection_id}/tools`);
const call = (connection_id: string, tool: string, given?: object) =>
  service.api<Called & { message: string }>('POST', `/connections/${connection_id}/tools:call`, {
    tool,
    ...(given ? { arguments: given } : {}),
  });

describe('a server without authentication', () => {
  it('is connected at once', async () => {
    expect(await getConnection(service, open)).toMatchObject({ status: 'ACTIVE', method: 'MCP' });
  });

  it('returns its name and its tools with their schemas', async () => {
    const { status, body } = await list(open);
    expect(status).toBe(200);
    expect(body.server).toMatchObject({ name: 'mcp-servers/everything', protocol_version: '2025-11-25' });
    expect(body.tools).toHaveLength(13);
    expect(body.tools.find(({ name }) => name === 'echo')).toEqual({
      name: 'echo',
      title: 'Echo Tool',
      description: 'Echoes back the input string',
      input_schema: expect.objectContaining({
        type: 'object',
        properties: { message: { type: 'string', description: 'Message to echo' } },
        required: ['message'],
      }),
      read_only: true,
      destructive: false,
    });
  });

  it('returns the content of a tool, and structured content if the tool has it', async () => {
    const echo = await call(open, 'echo', { message: 'hello there' });
    expect(echo.body.result).toEqual({
      is_error: false,
      content: [{ type: 'text', text: 'Echo: hello there' }],
      structured_content: null,
      duration_ms: expect.any(Number),
    });
    const weather = await call(open, 'get-structured-content', { location: 'Chicago' });
    expect(weather.body.result.structured_content).toMatchObject({ conditions: expect.any(String) });
  });

  it('lists its tools when an unknown one is called', async () => {
    const { status, body } = await call(open, 'no-such-tool');
    expect(status).toBe(400);
    expect(body.message).toMatch(/^tool: expected one of the server’s \(echo, .*, got no-such-tool$/);
  });

  it('reports invalid arguments as an error of the tool', async () => {
    const { status, body } = await call(open, 'echo', { message: 7 });
    expect(status).toBe(200);
    expect(body.result.is_error).toBe(true);
    expect(JSON.stringify(body.result.content)).toContain('message');
  });
});

describe('a server that requires a token', () => {
  it('is connected with a valid token, and called with it', async () => {
    guard.asked.length = 0;
    expect((await list(guarded)).body.tools).toHaveLength(13);
    expect((await call(guarded, 'echo', { message: 'in' })).body.result.content).toEqual([
      { type: 'text', text: 'Echo: in' },
    ]);
    expect(new Set(guard.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer a-static-token']));
  });

  it('has no remaining sessions: each is deleted after use', async () => {
    const deleted = () => vi.waitFor(() => expect(guard.asked.at(-1)?.method).toBe('DELETE'), 60_000);
    // The session of the previous call is deleted after its response.
    await deleted();
    guard.asked.length = 0;
    await call(guarded, 'echo', { message: 'in' });
    await deleted();
    expect(guard.asked.map(({ method, rpc }) => rpc ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'DELETE',
    ]);
  });

  it('is not connected with an invalid token, which appears nowhere', async () => {
    const app = await addMcpApp(service, guard.url, 'token');
    const { connection_id, status, body } = await submitMcp(service, app, { token: 'not-the-right-one' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: 'The server rejected this token.' });
    const connection = await getConnection(service, connection_id);
    expect(connection).toMatchObject({ status: 'FAILED', metadata: { failure: { code: 'INVALID_CREDENTIALS' } } });
    expect(service.logged()).not.toContain('not-the-right-one');
    expect(service.logged()).not.toContain('a-static-token');
  });

  it('reports a token that it no longer accepts', async () => {
    guard.instead = (_, res) => !!res.writeHead(401).end();
    const { status, body } = await call(guarded, 'echo', { message: 'in' });
    guard.instead = undefined;
    expect(status).toBe(502);
    expect(body.message).toContain('rejected the credentials');
    const lines = service.logged().trim().split('\n');
    const about = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 502);
    // A failure of the provider is not logged as an error with a stack.
    expect(about).toContainEqual(expect.objectContaining({ level: 40, failure: body.message }));
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('the list of tools', () => {
  const tool = (name: string, inputSchema: Record<string, unknown> = { type: 'object' }) => ({ name, inputSchema });

  it('is read to its last page', async () => {
    const server = await startToolServer((cursor) =>
      cursor ? { tools: [tool('last')] } : { tools: [tool('first')], nextCursor: 'two' },
    );
    const id = await connectMcp(service, await addMcpApp(service, server.url));
    expect((await list(id)).body.tools.map(({ name }) => name)).toEqual(['first', 'last']);
    await server.close();
  });

  it('is limited to 500 tools, also with endless pages', async () => {
    let pages = 0;
    const server = await startToolServer((cursor = '0') => {
      pages++;
      return {
        tools: Array.from({ length: 60 }, (_, i) => tool(`t-${cursor}-${i}`)),
        nextCursor: `${Number(cursor) + 1}`,
      };
    });
    const id = await connectMcp(service, await addMcpApp(service, server.url));
    pages = 0;
    expect((await list(id)).body.tools).toHaveLength(500);
    expect(pages).toBe(9);
    await server.close();
    const empty = await startToolServer(() => ({ tools: [], nextCursor: `${++pages}` }));
    const endless = await connectMcp(service, await addMcpApp(service, empty.url));
    expect((await list(endless)).body.tools).toEqual([]);
    await empty.close();
  });

  it('has the schemas unchanged, except huge or deep ones', async () => {
    const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(40)}{}${'}}'.repeat(40)}`);
    const usual = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, $defs: { x: true } };
    const server = await startToolServer(() => ({
      tools: [
        tool('usual', usual),
        tool('deep', deep),
        tool('huge', { type: 'object', description: 'x'.repeat(70_000) }),
        tool('x'.repeat(201)),
      ],
    }));
    const id = await connectMcp(service, await addMcpApp(service, server.url));
    const { body } = await list(id);
    const tooLarge = { type: 'object', description: 'The server’s schema is too large to be shown.' };
    expect(body.tools.map(({ name, input_schema }) => [name, input_schema])).toEqual([
      ['usual', usual],
      ['deep', tooLarge],
      ['huge', tooLarge],
    ]);
    await server.close();
  });
});

describe('a call of a tool', () => {
  const lastCall = async (connection_id: string) =>
    (await service.api<{ calls: object[] }>('GET', `/connections/${connection_id}/calls`)).body.calls[0];

  it('is logged like a gateway call', async () => {
    await call(open, 'get-sum', { a: 1, b: 2 });
    await vi.waitFor(async () => {
      expect(await lastCall(open)).toMatchObject({ method: 'POST', path: '/get-sum', status: 200, request_bytes: 13 });
    }, 60_000);
    await call(open, 'no such tool');
    await vi.waitFor(async () => {
      const failed = { path: '/no%20such%20tool', status: null, error: expect.stringContaining('expected one of') };
      expect(await lastCall(open)).toMatchObject(failed);
    }, 60_000);
  });

  it('that a server rejects has its message, without credentials', async () => {
    const error = { code: -32_000, message: 'MCP error -32000: token a-static-token is no good today' };
    guard.instead = (_, res, { rpc }) =>
      rpc === 'tools/call' && !!json(res, JSON.stringify({ jsonrpc: '2.0', id: 2, error }));
    const { status, body } = await call(guarded, 'echo', { message: 'x' });
    guard.instead = undefined;
    expect([status, body.message]).toEqual([
      502,
      'The server returned an error: token •••••••• is no good today (-32000)',
    ]);
  });
});

describe('a stream of events', () => {
  type Res = import('node:http').ServerResponse;
  const hello = (res: Res) => {
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    json(res, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  };
  const stream = (res: Res) => res.writeHead(200, { 'content-type': 'text/event-stream' });
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'late' }] } });

  it('that the server ends early is resumed', async () => {
    const asked: unknown[] = [];
    const stub = await startStub((req, res, rpc) => {
      if (rpc === 'initialize') return hello(res);
      if (rpc === 'tools/call') return void stream(res).end('retry: 10\nid: e-1\ndata: \n\n');
      if (req.method !== 'GET') return void res.writeHead(202).end();
      asked.push(req.headers['last-event-id']);
      // Ends early again, at a later event.
      stream(res).end(asked.length === 1 ? 'id: e-2\ndata: \n\n' : `id: e-3\ndata: ${answer}\n\n`);
    });
    // Connect to another server first, because this one can't list its tools.
    const id = await connectMcp(service, await addMcpApp(service, everything.url));
    const app = (await getConnection(service, id)).app;
    await service.api('PATCH', `/apps/${app}`, { methods: [{ method: 'MCP', server_url: stub.url }] });
    const { status, body } = await call(id, 'slow');
    expect([status, body.result?.content]).toEqual([200, [{ type: 'text', text: 'late' }]]);
    expect(asked).toEqual(['e-1', 'e-2']);
    await stub.close();
  });

  it('with a ping gets a response, and other requests are rejected', async () => {
    const replies: unknown[] = [];
    let finish = () => {};
    const stub = await startStub((_req, res, rpc, message) => {
      if (rpc === 'initialize') return hello(res);
      if (rpc === 'tools/call') {
        const ask = (id: string, method: string) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, method })}\n\n`;
        stream(res).write(ask('p', 'ping') + ask('s', 'sampling/createMessage'));
        finish = () => void res.end(`data: ${answer}\n\n`);
        return;
      }
      if (rpc === undefined && message) replies.push(message);
      if (replies.length === 2) finish();
      res.writeHead(202).end();
    });
    const id = await connectMcp(service, await addMcpApp(service, everything.url));
    const app = (await getConnection(service, id)).app;
    await service.api('PATCH', `/apps/${app}`, { methods: [{ method: 'MCP', server_url: stub.url }] });
    expect((await call(id, 'asks')).body.result?.content).toEqual([{ type: 'text', text: 'late' }]);
    expect(replies).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 'p', result: {} },
        { jsonrpc: '2.0', id: 's', error: { code: -32_601, message: 'Method not found' } },
      ]),
    );
    await stub.close();
  });
});

describe('a connection without tools', () => {
  it('has another method, another account, or is not complete', async () => {
    const plain = await connect(service, await addApp(service, 'http://127.0.0.1:9'), { api_key: 'k' });
    expect(await list(plain)).toMatchObject({ status: 400, body: { message: expect.stringContaining('API_KEY') } });
    expect(await call(plain, 'echo')).toMatchObject({ status: 400 });
    const pending = await newConnection(service, await addMcpApp(service, everything.url));
    expect(await list(pending)).toMatchObject({ status: 400, body: { message: expect.stringContaining('PENDING') } });
    const { key } = await service.secondAccount();
    expect((await service.api('GET', `/connections/${open}/tools`, undefined, { key })).status).toBe(404);
  });
});

describe('a server that is no MCP server', () => {
  const answers: [string, number, string, (res: import('node:http').ServerResponse) => void][] = [
    ['answers a page', 400, 'text/html', (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['answers JSON that is no message', 400, 'not an MCP message', (res) => json(res, '{"hello":"world"}')],
    ['answers half of it', 400, 'not JSON', (res) => json(res, '{"jsonrpc":"2.0","id":1,"res')],
    ['answers too deep', 400, 'nested too deep', (res) => json(res, '['.repeat(100_000))],
    ['answers too much', 400, 'larger than', (res) => json(res, `"${'x'.repeat(9 * 1024 * 1024)}"`)],
    ['answers nothing', 400, 'is not MCP', (res) => res.writeHead(202).end()],
    [
      'ends its stream early',
      400,
      'response ended early',
      (res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    ],
    [
      'speaks another version',
      400,
      'unsupported version of MCP',
      (res) => json(res, '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01","capabilities":{}}}'),
    ],
    ['is not there', 400, '404', (res) => res.writeHead(404).end()],
    [
      'has moved',
      502,
      'points to https://example.com/mcp/',
      (res) => res.writeHead(307, { location: 'https://example.com/mcp/?secret=1' }).end(),
    ],
    ['is in trouble', 502, '503', (res) => res.writeHead(503).end()],
    ['breaks off', 502, 'can’t be reached', (res) => res.destroy()],
  ];
  it.each(answers)('that %s', async (_, status, words, answer) => {
    const stub = await startStub((_req, res) => answer(res));
    const tried = await submitMcp(service, await addMcpApp(service, stub.url));
    expect(tried).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
    expect(String(tried.body['message'])).not.toContain('secret');
    expect(await getConnection(service, tried.connection_id)).toMatchObject({
      status: status === 400 ? 'FAILED' : 'PENDING',
    });
    await stub.close();
  });
});

const json = (res: import('node:http').ServerResponse, text: string) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end(text);
