/** MCP servers of both kinds, made with four libraries: their tools are listed and called through the API. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { McpServer as LiteServer, StreamableHttpTransport } from 'mcp-lite';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addMcpApp, connectMcp, listenOnLoopback, startStub, submitMcp } from '../../connections/test/mcp-support.ts';
import { startMcpServer } from '../../test/mcp-server.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Request = { method: string; rpc: string | undefined; headers: IncomingMessage['headers'] };
type Handler = (req: IncomingMessage, res: ServerResponse, body: unknown) => unknown;
type ToolList = { server: { name: string; version: string; protocol_version: string }; tools: { name: string }[] };
type Called = { message: string; result: { is_error: boolean; content: unknown[]; structured_content: unknown } };

const service = serviceForAll();
const list = (id: string) => service.api<ToolList>('GET', `/connections/${id}/tools`);
const call = (id: string, tool: string, given: object) =>
  service.api<Called>('POST', `/connections/${id}/tools:call`, { tool, arguments: given });

/** A server that records its requests. */
async function startRecorded(answer: Handler) {
  const requests: Request[] = [];
  const server = { answer, requests };
  const listening = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      requests.push({ method: req.method ?? '', rpc: body?.method, headers: req.headers });
      void server.answer(req, res, body);
    });
  });
  return Object.assign(server, await listenOnLoopback(listening));
}

/** A server of the official SDK, second edition. */
function withSdk(legacy: 'reject' | 'stateless'): Handler {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'second', version: '2.0.0' });
      server.registerTool(
        'add',
        { description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
        ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
      );
      server.registerTool(
        'region',
        { inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }) },
        ({ region }) => ({ content: [{ type: 'text', text: region }] }),
      );
      server.registerTool('fails', {}, () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
      return server;
    },
    { legacy },
  );
  const node = toNodeHandler(handler);
  return (req, res, body) => node(Object.assign(req, { method: req.method ?? 'GET', url: req.url ?? '/' }), res, body);
}

const modern = forAll(() => startRecorded(withSdk('reject')));
const dual = forAll(() => startRecorded(withSdk('stateless')));
const everything = forAll(startMcpServer);
const lite = forAll(() => {
  const server = new LiteServer({
    name: 'lite',
    version: '1.0.0',
    schemaAdapter: (each) => z.toJSONSchema(each as never),
  });
  server.tool('add', {
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    handler: ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  });
  const answer = new StreamableHttpTransport().bind(server);
  return startRecorded(async (req, res, body) => {
    const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? 'GET',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const from = await answer(request);
    res.writeHead(from.status, Object.fromEntries(from.headers)).end(Buffer.from(await from.arrayBuffer()));
  });
});
beforeEach(() => {
  for (const { requests } of [modern, dual, lite]) requests.length = 0;
});

const methodsOf = ({ requests }: { requests: Request[] }) => requests.map(({ rpc, method }) => rpc ?? method);

describe('a server of 2026-07-28 only', () => {
  it('is connected, and lists and calls its tools without a handshake', async () => {
    const id = await connectMcp(service, await addMcpApp(service, modern.url));
    const { status, body } = await list(id);
    expect([status, body.server]).toEqual([200, { name: 'second', version: '2.0.0', protocol_version: '2026-07-28' }]);
    expect(body.tools.map(({ name }) => name)).toEqual(['add', 'region', 'fails']);
    const { body: sum } = await call(id, 'add', { a: 2, b: 40 });
    expect(sum.result.content).toEqual([{ type: 'text', text: '42' }]);
    expect((await call(id, 'fails', {})).body.result.is_error).toBe(true);
    expect(methodsOf(modern)).not.toContain('initialize');
    // It is asked for its versions once.
    expect(methodsOf(modern).filter((rpc) => rpc === 'server/discover')).toHaveLength(1);
    const { headers } = modern.requests.find(({ rpc }) => rpc === 'tools/call') ?? { headers: {} };
    expect(headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'add',
    });
  });

  it('gets the parameters that it requires in headers', async () => {
    const id = await connectMcp(service, await addMcpApp(service, modern.url));
    for (const region of ['eu', 'größer ', '=?base64?eHg=?=']) {
      modern.requests.length = 0;
      const { body } = await call(id, 'region', { region });
      expect(body.result?.content ?? body).toEqual([{ type: 'text', text: region }]);
      expect(methodsOf(modern)).toEqual(['tools/call', 'tools/list', 'tools/call']);
    }
  });

  it('reports an unknown tool with the list of its tools', async () => {
    const id = await connectMcp(service, await addMcpApp(service, modern.url));
    const { status, body } = await call(id, 'größe', {});
    expect([status, body.message]).toEqual([400, 'tool: expected one of the server’s (add, region, fails), got größe']);
  });

  it('that asks for input from a person gets none, and the caller is informed', async () => {
    const id = await connectMcp(service, await addMcpApp(service, modern.url));
    const { answer } = modern;
    modern.answer = (_, res) =>
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests: [] } }));
    const { status, body } = await call(id, 'add', { a: 1, b: 2 });
    modern.answer = answer;
    expect([status, body.message]).toEqual([
      502,
      'The server asks for more input from a person, which is not supported.',
    ]);
  });

  it('may be replaced by an older one, and back', async () => {
    const id = await connectMcp(service, await addMcpApp(service, modern.url));
    const { answer } = modern;
    modern.answer = lite.answer;
    // The first request is sent in the known way; its failure makes the next one ask again.
    await call(id, 'add', { a: 1, b: 1 });
    expect((await call(id, 'add', { a: 1, b: 1 })).body.result.content).toEqual([{ type: 'text', text: '2' }]);
    expect((await list(id)).body.server.name).toBe('lite');
    modern.answer = answer;
    expect((await call(id, 'add', { a: 1, b: 2 })).body.result.content).toEqual([{ type: 'text', text: '3' }]);
    expect((await list(id)).body.server.name).toBe('second');
  });
});

describe('servers of other versions', () => {
  it('of both kinds are used in the new way', async () => {
    const id = await connectMcp(service, await addMcpApp(service, dual.url));
    expect((await list(id)).body.server.protocol_version).toBe('2026-07-28');
    expect(methodsOf(dual)).not.toContain('initialize');
  });

  it('of mcp-lite are used with a handshake, and asked for the new one only once', async () => {
    const id = await connectMcp(service, await addMcpApp(service, lite.url));
    expect((await list(id)).body.server).toMatchObject({ name: 'lite' });
    expect((await call(id, 'add', { a: 1, b: 2 })).body.result.content).toEqual([{ type: 'text', text: '3' }]);
    expect(methodsOf(lite).filter((rpc) => rpc === 'server/discover')).toHaveLength(1);
  });

  it('of the first SDK are used with a handshake', async () => {
    const id = await connectMcp(service, await addMcpApp(service, everything.url));
    expect((await list(id)).body.server).toMatchObject({ protocol_version: '2025-11-25' });
  });

  it('that reject the question with a status, an error or a page are used with a handshake', async () => {
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
    const rejections: ((res: ServerResponse) => void)[] = [
      (res) => res.writeHead(400).end('no session'),
      (res) => res.writeHead(404).end(),
      (res) => res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"unknown method"}'),
      (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      (res) => json(res, { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'Method not found' } }),
      (res) => json(res, { jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2030-01-01'] } }),
      (res) =>
        json(res, { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Server not initialized' } }, 400),
    ];
    for (const reject of rejections) {
      const stub = await startStub((_, res, rpc) => {
        if (rpc === 'server/discover') return reject(res);
        if (rpc === 'initialize') return json(res, { jsonrpc: '2.0', id: 1, result });
        if (rpc === 'tools/list') return json(res, { jsonrpc: '2.0', id: 2, result: { tools: [] } });
        res.writeHead(202).end();
      });
      const id = await connectMcp(service, await addMcpApp(service, stub.url));
      expect((await list(id)).body.server.name).toBe('old');
      await stub.close();
    }
  });

  it('that reject the credentials are not asked a second time', async () => {
    const rpcs: unknown[] = [];
    const stub = await startStub((_, res, rpc) => {
      rpcs.push(rpc);
      res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    });
    const tried = await submitMcp(service, await addMcpApp(service, stub.url, 'token'), { token: 'not-valid' });
    expect(tried).toMatchObject({ status: 400, body: { message: 'The server rejected this token.' } });
    expect(rpcs).toEqual(['server/discover']);
    await stub.close();
  });
});

function json(res: ServerResponse, body: object, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
