/**
 * The door. One plain HTTP server looks at host and path and hands each request to whom it is for: a function, the API,
 * the gateway to a connected app, the connect window, the console. By default one port serves all of them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { getRequestListener } from '@hono/node-server';
import { RESERVED_SEGMENTS } from '../../contract/routes.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { labelOf, underFunctions } from '../lib/addresses.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import { rateLimitHeaders } from '../lib/rate-limit.ts';
import * as auth from '../services/auth.ts';
import { serveDownload } from '../services/downloads.ts';
import { bearer, type Edge, unauthorized } from './adaptor.ts';
import { createApi } from './api.ts';
import type { ConsoleFiles } from './console-files.ts';
import { errorResponse, toFailure } from './error-body.ts';
import type { FunctionFront } from './function-front.ts';

export type FrontParts = {
  edge: Edge;
  gateway: Gateway;
  functionFront: FunctionFront;
  files: ConsoleFiles;
  /** Whether this node can do its work: the text is what /readyz says. */
  readiness: () => Promise<{ ready: boolean; detail: Record<string, unknown> }>;
  metrics: (() => Promise<string>) | undefined;
};

const RESERVED = new Set<string>(RESERVED_SEGMENTS);

export function createFront(parts: FrontParts): (req: IncomingMessage, res: ServerResponse) => void {
  const { edge } = parts;
  const { addresses } = edge.services.settings;
  const at = { api: place(addresses.base_url), connect: place(addresses.connect_url) };
  const oneHost = at.api.host === at.connect.host && at.api.host === new URL(addresses.console_url).host;
  const api = createApi(edge, { api: at.api.path, connect: `${at.connect.path}/api` });
  const requestIds = new WeakMap<IncomingMessage | Http2ServerRequest, string>();
  const listener = getRequestListener(
    (request, { incoming }) =>
      api.fetch(request, { requestId: requestIds.get(incoming) ?? '', ip: incoming.socket.remoteAddress ?? null }),
    { overrideGlobalObjects: false },
  );
  const toApi = (req: IncomingMessage, res: ServerResponse, requestId: string) => {
    requestIds.set(req, requestId);
    void listener(req, res);
  };

  return (req, res) => {
    const requestId = inboundRequestId(req) ?? randomUUID();
    const host = req.headers.host ?? '';
    const url = req.url ?? '/';
    const path = url.split('?', 1)[0] ?? '/';
    const isFor = (each: Place) =>
      (oneHost || host.toLowerCase() === each.host) && (path === each.path || path.startsWith(`${each.path}/`));
    const fail = (thrown: unknown) => failWith(edge, req, res, thrown, requestId);

    if (!url.startsWith('/')) return fail(badRequest('Expected a path that starts with /.'));
    const label = labelOf(addresses, host);
    // Whatever is under the functions' domain shares its cookies with them: the console is never there.
    if (label === undefined && underFunctions(addresses, host) !== undefined) return fail(notFound('Function'));
    if (label !== undefined) return parts.functionFront.handle(req, res, label, requestId);
    if (path === '/healthz') return text(res, 200, { status: 'ok' });
    if (path === '/readyz')
      return void parts.readiness().then(({ ready, detail }) => text(res, ready ? 200 : 503, detail), fail);
    if (path === '/metrics' && parts.metrics) {
      return void parts
        .metrics()
        .then((body) => res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(body), fail);
    }
    // Probes may come without a name; whoever comes further has one.
    if (!URL.canParse(`http://${host}`)) return fail(badRequest('Host: expected the name this request is for'));
    if (path.startsWith('/downloads/')) return void download(edge, res, path.slice('/downloads/'.length)).catch(fail);
    if (isFor(at.api)) {
      const rest = url.slice(at.api.path.length + 1);
      const app = rest.split(/[/?]/, 1)[0] ?? '';
      if (app === '' || RESERVED.has(app.split(':', 1)[0] ?? '')) return toApi(req, res, requestId);
      return void throughGateway(parts, req, res, app, rest.slice(app.length), requestId).catch(fail);
    }
    if (isFor({ ...at.connect, path: `${at.connect.path}/api` })) return toApi(req, res, requestId);
    if (isFor(at.connect)) return parts.files(req, res, path, 'connect');
    parts.files(req, res, path, 'index');
  };
}

type Place = { host: string; path: string };
const place = (address: string): Place => ({
  host: new URL(address).host,
  path: new URL(address).pathname.replace(/\/+$/, ''),
});

const inboundRequestId = (req: IncomingMessage): string | undefined => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : undefined;
};

/** The gateway takes keys only: a cookie is never enough to call somebody else's API, and never leaves with the request. */
async function throughGateway(
  parts: FrontParts,
  req: IncomingMessage,
  res: ServerResponse,
  app: string,
  rest: string,
  requestId: string,
) {
  const { edge } = parts;
  const key = bearer(req.headers.authorization ?? '');
  const who = key ? await auth.authenticateKey(edge.services, key) : null;
  if (!who)
    throw unauthorized(key ? 'The API key is not valid.' : 'An API key is needed: Authorization: Bearer <API_KEY>.');
  const taken = edge.limits.account.take(who.account_id);
  if (!taken.allowed) {
    throw new Failure(429, 'Too many requests; wait as Retry-After says, then back off exponentially.', {
      headers: rateLimitHeaders(edge.limits.account, taken),
    });
  }
  parts.gateway.handle(req, res, { account_id: who.account_id, request_id: requestId }, app, rest);
}

async function download(edge: Edge, res: ServerResponse, token: string): Promise<void> {
  const bytes = await serveDownload(edge.services, token);
  if (!bytes) throw notFound('Download');
  res
    .writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes.length),
      'Content-Disposition': 'attachment; filename="code.json"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(bytes);
}

function failWith(edge: Edge, req: IncomingMessage, res: ServerResponse, thrown: unknown, requestId: string): void {
  const failure = toFailure(thrown);
  if (failure.status >= 500) edge.services.log.error({ err: thrown, request_id: requestId }, 'request failed');
  if (res.headersSent) return void res.destroy();
  const { status, headers, body } = errorResponse(failure, requestId);
  // What is left of the request is not read, so the connection can't be used for another.
  if (!req.complete) headers['Connection'] = 'close';
  res.writeHead(status, headers).end(body);
}

function text(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(`${JSON.stringify(value)}\n`);
}
