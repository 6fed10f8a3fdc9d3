/**
 * The door. One plain HTTP server looks at host and path and hands each request to whom it is for: a function, the API,
 * the gateway to a connected app, a trigger's address, the connect window, the console. By default one port serves all of them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { RESERVED_SEGMENTS } from '../../contract/routes.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type Addresses, labelOf, underFunctions } from '../lib/addresses.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import { letRestBy } from '../lib/let-by.ts';
import { serveDownload } from '../services/downloads.ts';
import type { Edge } from './adaptor.ts';
import { createApi } from './api.ts';
import { clientAddress } from './client-address.ts';
import { connectCallback } from './connect-callback.ts';
import type { ConsoleFiles } from './console-files.ts';
import { errorResponse, noteFailure, toFailure } from './error-body.ts';
import type { FunctionFront } from './function-front.ts';
import { openUpgrade, type RequestId, refuseConnect, type Target, throughGateway } from './gateway-front.ts';
import type { HooksFront } from './hooks-front.ts';
import { takeAbsoluteForm } from './request-target.ts';

export type FrontParts = {
  edge: Edge;
  gateway: Gateway;
  functionFront: FunctionFront;
  hooksFront: HooksFront;
  files: ConsoleFiles;
  /** Whether this node can do its work: the text is what /readyz says. */
  readiness: () => Promise<{ ready: boolean; detail: Record<string, unknown> }>;
  metrics: (() => Promise<string>) | undefined;
};

const RESERVED = new Set<string>(RESERVED_SEGMENTS);

/** A request for the API. */
type Asked = { req: IncomingMessage; res: ServerResponse; requestId: string };

export type Front = {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Whether this request is to become a WebSocket: those to functions and through the gateway are. */
  takesUpgrade(req: IncomingMessage): boolean;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  connect(req: IncomingMessage, socket: Duplex): void;
};

export function createFront(parts: FrontParts): Front {
  const { edge } = parts;
  const { addresses, trustedProxies } = edge.services.settings;
  const at = {
    api: place(addresses.base_url),
    connect: place(addresses.connect_url),
    hooks: place(addresses.hooks_url),
  };
  const oneHost = Object.values(at).every(({ host }) => host === new URL(addresses.console_url).host);
  const api = createApi(edge, { api: at.api.path, connect: `${at.connect.path}/api` });
  const asked = new WeakMap<object, Asked>();
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const each = asked.get(incoming);
      if (!each) throw new Error('a request that came by another door');
      const { req, res, requestId } = each;
      const ip = clientAddress(trustedProxies, req);
      const answer = await api.fetch(request, { requestId, ip, incoming: req });
      letRestBy(req, res, answer.status);
      return answer;
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  const toApi = (req: IncomingMessage, res: ServerResponse, requestId: string) => {
    asked.set(req, { req, res, requestId });
    void listener(req, res);
  };

  const hostOf = knownHosts(addresses);
  const isFor = (each: Place, host: string, path: string) =>
    (oneHost || host.toLowerCase() === each.host) && (path === each.path || path.startsWith(`${each.path}/`));
  /** What stands under the base address and is none of the API's own. */
  const appOf = (url: string): Target | undefined => {
    const rest = url.slice(at.api.path.length + 1);
    const end = rest.search(/[/?]/);
    const app = end < 0 ? rest : rest.slice(0, end);
    const verb = app.search(/:|%3a/i);
    if (app === '' || RESERVED.has(verb < 0 ? app : app.slice(0, verb))) return undefined;
    return { app, rest: rest.slice(app.length) };
  };

  function handle(req: IncomingMessage, res: ServerResponse) {
    takeAbsoluteForm(req);
    const requestId = requestIdOf(req);
    const host = req.headers.host ?? '';
    const url = req.url ?? '/';
    const path = pathOf(url);
    const fail = (thrown: unknown) => failWith(edge, req, res, thrown, requestId());

    if (!url.startsWith('/'))
      return fail(badRequest('Expected a path that starts with /, or an address of http or https.'));
    if (namesTwoHosts(req.rawHeaders)) return fail(badRequest('Host: expected one'));
    const { label, isFunctions, isName } = hostOf(host);
    // Whatever is under the functions' domain shares its cookies with them: the console is never there.
    if (label === undefined && isFunctions) return fail(notFound('Function'));
    if (label !== undefined) return parts.functionFront.handle(req, res, label, requestId);
    if (/^\/(?:healthz|readyz|metrics|downloads\/.*)$/.test(path)) {
      res.setHeader('X-Request-Id', requestId());
      letRestBy(req, res);
    }
    if (path === '/healthz') return text(res, 200, { status: 'ok' });
    if (path === '/readyz')
      return void parts.readiness().then(({ ready, detail }) => text(res, ready ? 200 : 503, detail), fail);
    if (path === '/metrics' && parts.metrics) {
      return void parts
        .metrics()
        .then((body) => res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(body), fail);
    }
    // Probes may come without a name; whoever comes further has one.
    if (!isName) return fail(badRequest('Host: expected the name this request is for'));
    if (path.startsWith('/downloads/'))
      return void download(edge, req, res, path.slice('/downloads/'.length)).catch(fail);
    if (isFor(at.hooks, host, path)) {
      const rest = url.slice(at.hooks.path.length + 1);
      return void parts.hooksFront.handle(req, res, rest, requestId).catch(fail);
    }
    if (isFor(at.api, host, path)) {
      const target = appOf(url);
      if (!target) return toApi(req, res, requestId());
      return run(() => throughGateway(edge, parts.gateway, req, res, target, requestId), fail);
    }
    if (isFor(at.connect, host, path) && path === `${at.connect.path}/oauth/callback`)
      return void connectCallback(edge, req, res, requestId()).catch(fail);
    if (isFor({ ...at.connect, path: `${at.connect.path}/api` }, host, path)) return toApi(req, res, requestId());
    // Pages take no body.
    letRestBy(req, res);
    if (isFor(at.connect, host, path)) return parts.files(req, res, path, 'connect');
    parts.files(req, res, path, 'index');
  }

  return {
    handle,
    takesUpgrade(req) {
      takeAbsoluteForm(req);
      const { url = '/', headers } = req;
      const { host = '', upgrade = '' } = headers;
      if (!/^websocket$/i.test(upgrade)) return false;
      const { label, isFunctions } = hostOf(host);
      if (isFunctions) return label !== undefined;
      return isFor(at.api, host, pathOf(url)) && appOf(url) !== undefined;
    },
    upgrade(req, socket, head) {
      const requestId = requestIdOf(req);
      const { res, tunnel } = openUpgrade(req, socket, head);
      const { label } = hostOf(req.headers.host ?? '');
      if (label !== undefined) return parts.functionFront.upgrade(req, res, label, requestId, tunnel);
      const target = appOf(req.url ?? '/') ?? { app: '', rest: '' };
      const fail = (thrown: unknown) => failWith(edge, req, res, thrown, requestId());
      if (namesTwoHosts(req.rawHeaders)) return fail(badRequest('Host: expected one'));
      run(() => throughGateway(edge, parts.gateway, req, res, target, requestId, tunnel), fail);
    },
    connect: (req, socket) => refuseConnect(socket, requestIdOf(req)()),
  };
}

/** Does it, now or later; `fail` is told what goes wrong, now or later. */
function run(what: () => void | Promise<void>, fail: (thrown: unknown) => void): void {
  try {
    what()?.catch(fail);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Whoever stood before might have gone by the other one (RFC 9112, section 3.2). */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

type Place = { host: string; path: string };
const place = (address: string): Place => ({
  host: new URL(address).host,
  path: new URL(address).pathname.replace(/\/+$/, ''),
});

type Host = { label: string | undefined; isFunctions: boolean; isName: boolean };
const KNOWN_HOSTS = 1000;

/** What the name in a request means. There are few, and each comes again and again. */
function knownHosts(addresses: Addresses): (host: string) => Host {
  const known = new Map<string, Host>();
  return (host) => {
    const before = known.get(host);
    if (before) return before;
    const found = {
      label: labelOf(addresses, host),
      isFunctions: underFunctions(addresses, host) !== undefined,
      isName: URL.canParse(`http://${host}`),
    };
    if (known.size >= KNOWN_HOSTS) known.clear();
    if (host.length < 256) known.set(host, found);
    return found;
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

function requestIdOf(req: IncomingMessage): RequestId {
  let id: string | undefined;
  return () => {
    id ??= inboundRequestId(req) ?? randomUUID();
    return id;
  };
}

const inboundRequestId = (req: IncomingMessage): string | undefined => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : undefined;
};

async function download(edge: Edge, req: IncomingMessage, res: ServerResponse, token: string): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD')
    throw new Failure(405, 'Expected one of GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
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
  noteFailure(edge.services.log, thrown, failure, { request_id: requestId });
  if (res.headersSent) return void res.destroy();
  const { status, headers, body } = errorResponse(failure, requestId);
  letRestBy(req, res, status);
  res.writeHead(status, headers).end(body);
}

function text(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(`${JSON.stringify(value)}\n`);
}
