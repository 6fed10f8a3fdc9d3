/** The MCP reference server, with or without a check of bearer tokens, and connections to it. */
import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListToolsRequestSchema, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { McpServer } from '../../test/mcp-server.ts';
import type { Service } from '../../test/service.ts';
import { getConnection, newConnection, onLink, tokenOf } from './connecting.ts';

export type Asked = {
  method: string;
  path: string;
  authorization: string | undefined;
  lastEventId: string | undefined;
  rpc: string | undefined;
};
export type Guard = McpServer & {
  /** Every request, in its order. */
  asked: Asked[];
  /** What it says of itself (RFC 9728), where it says anything. */
  metadata: object | undefined;
  /** Answers instead of the server, when it says true. */
  instead: ((req: IncomingMessage, res: ServerResponse, asked: Asked) => boolean) | undefined;
};

/** A proxy that forwards requests that `allows` accepts; the others get the 401 of RFC 9728. */
export async function startGuard(
  server: string,
  allows: (token: string | undefined) => boolean | Promise<boolean>,
): Promise<Guard> {
  const listening = createServer((req, res) => {
    void answer(req, res);
  });
  const place = await listenOnLoopback(listening);
  const guard: Guard = { ...place, asked: [], metadata: undefined, instead: undefined };
  const { origin } = new URL(place.url);

  async function answer(req: IncomingMessage, res: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { authorization } = req.headers;
    const lastEventId = req.headers['last-event-id']?.toString();
    const asked = {
      method: req.method ?? '',
      path: req.url ?? '',
      authorization,
      lastEventId,
      rpc: messageIn(body)?.method,
    };
    guard.asked.push(asked);
    if (guard.instead?.(req, res, asked)) return;
    if (asked.path.startsWith('/.well-known/')) {
      const known = guard.metadata && asked.path === '/.well-known/oauth-protected-resource/mcp';
      res
        .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(guard.metadata ?? {}));
      return;
    }
    if (!(await allows(authorization?.replace(/^Bearer /, '')))) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      res.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${metadata}"` }).end();
      return;
    }
    const to = new URL(server);
    const headers = { ...req.headers, host: to.host };
    const onward = request({ host: to.hostname, port: to.port, path: req.url, method: req.method, headers }, (from) => {
      res.writeHead(from.statusCode ?? 500, from.headers);
      res.flushHeaders();
      from.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    onward.end(body);
  }
  return guard;
}

function messageIn(body: Buffer): { method?: string } | undefined {
  try {
    return JSON.parse(body.toString()) as { method?: string };
  } catch {
    return undefined;
  }
}

let made = 0;
/** Adds an app whose MCP server is at this URL. */
export async function addMcpApp(
  service: Service,
  server_url: string,
  auth: 'oauth' | 'client' | 'token' = 'oauth',
): Promise<string> {
  const app = `tools-${++made}`;
  const answer = await service.api('POST', '/apps', { app, name: app, methods: [{ method: 'MCP', server_url, auth }] });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return app;
}

/** Submits the connect window of a new connection; also returns the connection's ID. */
export async function submitMcp(service: Service, app: string, fields: Record<string, string> = {}) {
  const connection_id = await newConnection(service, app);
  const { url } = await getConnection(service, connection_id);
  return { connection_id, ...(await onLink(service, tokenOf(url), { method: 'MCP', fields })) };
}

/** A connection without authorization at a provider. */
export async function connectMcp(service: Service, app: string, fields: Record<string, string> = {}): Promise<string> {
  const { connection_id, status, body } = await submitMcp(service, app, fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return connection_id;
}

type Tool = { name: string; inputSchema: Record<string, unknown>; annotations?: Record<string, unknown> };
/** A server built with the SDK; the test provides its pages of tools. */
export async function startToolServer(page: (cursor: string | undefined) => { tools: Tool[]; nextCursor?: string }) {
  const listening = createServer((req, res) => {
    const server = new Server({ name: 'pages', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => page(params?.cursor) as ListToolsResult);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    void server.connect(transport as Transport).then(() => transport.handleRequest(req, res));
  });
  return listenOnLoopback(listening);
}

/** A server whose responses the test provides. */
export async function startStub(
  answer: (req: IncomingMessage, res: ServerResponse, rpc: string | undefined, message: object | undefined) => void,
) {
  const listening = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const message = messageIn(Buffer.concat(chunks));
      answer(req, res, message?.method, message);
    });
  });
  return listenOnLoopback(listening);
}

export async function listenOnLoopback(listening: HttpServer): Promise<McpServer> {
  await new Promise<void>((ok) => listening.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((ok) => {
        listening.close(() => ok());
        listening.closeAllConnections();
      }),
  };
}
