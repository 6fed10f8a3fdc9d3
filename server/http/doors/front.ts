/**
 * Routes each request of the HTTP server by host and path: to a function, the API, the gateway, a webhook endpoint, the
 * connect window or the console. By default one port serves all of them.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { RESERVED_SEGMENTS } from '../../../contract/routes.ts';
import { serveDownload } from '../../functions/versions/downloads.ts';
import type { CallTarget } from '../../gateway/forwarding/call-target.ts';
import type { Gateway } from '../../gateway/forwarding/gateway.ts';
import { type GatewayHost, gatewayHostOf, labelOf } from '../../lib/addresses.ts';
import { finishAndDrain } from '../../lib/bodies/drain-request.ts';
import { badRequest, Failure, notFound } from '../../lib/failure.ts';
import type { Settings } from '../../platform/context.ts';
import type { Edge } from '../adaptor.ts';
import { clientAddress } from '../client-address.ts';
import { DATA_HEADERS, errorResponse, noteFailure, noteRefusal, toFailure } from '../error-body.ts';
import { leadingSegmentsDecoder } from '../request-path.ts';
import { takeAbsoluteForm } from '../request-target.ts';
import { createApi } from './api.ts';
import { connectCallback } from './connect-callback.ts';
import { type ConsoleFiles, hstsHeaders } from './console-files.ts';
import type { FunctionFront } from './function-front.ts';
import { openUpgrade, refuseConnect, throughGateway } from './gateway-front.ts';
import type { HooksFront } from './hooks-front.ts';
import { createRequestLog, type RequestId, requestIdOf } from './request-log.ts';

export type FrontParts = {
  edge: Edge;
  gateway: Gateway;
  functionFront: FunctionFront;
  hooksFront: HooksFront;
  files: ConsoleFiles;
  /** Whether this node accepts requests; `detail` is the body of /readyz. */
  readiness: () => Promise<{ ready: boolean; detail: Record<string, unknown> }>;
  metrics: (() => Promise<string>) | undefined;
};

const RESERVED = new Set<string>(RESERVED_SEGMENTS);

export type Front = {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Whether to upgrade the request to a WebSocket: only to functions and through the gateway. */
  takesUpgrade(req: IncomingMessage): boolean;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  connect(req: IncomingMessage, socket: Duplex): void;
};

export function createFront(parts: FrontParts): Front {
  const { edge } = parts;
  const { addresses } = edge.services.settings;
  const at = {
    api: place(addresses.base_url),
    connect: place(addresses.connect_url),
    hooks: place(addresses.hooks_url),
  };
  const oneHost = Object.values(at).every(({ host }) => host === new URL(addresses.console_url).host);
  const toApi = apiListener(edge, { api: at.api.path, connect: `${at.connect.path}/api` });

  const ownHeaders = Object.entries({ ...DATA_HEADERS, ...hstsHeaders(edge.services.settings) });
  const { log, settings } = edge.services;
  const requestLog = createRequestLog(log, settings.requestLogLevel, settings.trustedProxies);
  const hostOf = knownHosts(settings);
  const decodeLeading = leadingSegmentsDecoder(at.api.path.split('/').length);
  const isFor = (each: Place, host: string, path: string) =>
    (oneHost || host.toLowerCase() === each.host) && (path === each.path || path.startsWith(`${each.path}/`));
  /** The app in a path under the base URL; undefined for paths of the API. */
  const appOf = (url: string): CallTarget | undefined => {
    const rest = url.slice(at.api.path.length + 1);
    const end = rest.search(/[/?]/);
    const app = end < 0 ? rest : rest.slice(0, end);
    const verb = app.search(/:|%3a/i);
    if (app === '' || RESERVED.has(verb < 0 ? app : app.slice(0, verb))) return undefined;
    return { app, rest: rest.slice(app.length), byHost: false };
  };

  function handle(req: IncomingMessage, res: ServerResponse) {
    takeAbsoluteForm(req);
    const requestId = requestIdOf(req);
    requestLog?.(req, res, requestId);
    const host = req.headers.host ?? '';
    const fail = (thrown: unknown) => failWith(edge, req, res, thrown, requestId());

    if (req.url?.startsWith('/') !== true)
      return fail(badRequest('Expected a path that starts with /, or an http or https URL.'));
    if (namesTwoHosts(req.rawHeaders)) return fail(badRequest('Host: expected one'));
    const { label, gateway, isFunctions, isName, isOwn, isIpAddress } = hostOf(host);
    if (label !== undefined) return parts.functionFront.handle(req, res, label, requestId);
    if (gateway) {
      const called = { ...gateway, rest: req.url, byHost: true };
      return run(() => throughGateway(edge, parts.gateway, req, res, called, requestId), fail);
    }
    req.url = decodeLeading(req.url);
    const { url } = req;
    const path = pathOf(url);
    const target = isOwn && isFor(at.api, host, path) ? appOf(url) : undefined;
    // Responses of apps are returned unchanged.
    if (!target) for (const [name, value] of ownHeaders) res.setHeader(name, value);
    if (/^\/(?:healthz|livez|readyz|metrics|downloads\/.*)$/.test(path)) {
      requestId.about = { operation: path.split('/', 2)[1] ?? '' };
      res.setHeader('X-Request-Id', requestId());
      finishAndDrain(req, res);
    }
    if (path === '/healthz' || path === '/livez') return text(res, 200, { status: 'ok' });
    if (path === '/readyz')
      return void parts.readiness().then(({ ready, detail }) => text(res, ready ? 200 : 503, detail), fail);
    // Functions can set cookies for every host of their domain, so the console is never served there.
    if (isFunctions) return fail(notFound('Function'));
    // Scrapers use IP addresses as hosts, which pages of other sites can't (DNS rebinding).
    if (path === '/metrics' && parts.metrics && (isOwn || isIpAddress || !isName)) {
      return void parts
        .metrics()
        .then(
          (body) => res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
          fail,
        );
    }
    // Probes may omit the host name, other requests must not.
    if (!isName) return fail(badRequest('Host: expected a host name'));
    if (path.startsWith('/downloads/'))
      return void download(edge, req, res, path.slice('/downloads/'.length)).catch(fail);
    if (isFor(at.hooks, host, path)) {
      const rest = url.slice(at.hooks.path.length + 1);
      return void parts.hooksFront.handle(req, res, rest, requestId).catch(fail);
    }
    if (!isOwn) return fail(notHere(host, addresses.console_url));
    if (target) return run(() => throughGateway(edge, parts.gateway, req, res, target, requestId), fail);
    if (isFor(at.api, host, path)) return toApi(req, res, requestId);
    if (isFor(at.connect, host, path) && path === `${at.connect.path}/oauth/callback`) {
      requestId.about = { operation: 'oauth_callback' };
      return void connectCallback(edge, req, res, requestId()).catch(fail);
    }
    if (isFor({ ...at.connect, path: `${at.connect.path}/api` }, host, path)) return toApi(req, res, requestId);
    requestId.about = { operation: 'page', path };
    // Pages take no body.
    finishAndDrain(req, res);
    const page = isFor(at.connect, host, path) ? 'connect' : 'index';
    try {
      if (!parts.files(req, res, path, page)) fail(nothingAt(path, addresses.base_url));
    } catch (thrown) {
      fail(thrown);
    }
  }

  return {
    handle,
    takesUpgrade(req) {
      takeAbsoluteForm(req);
      const { host = '', upgrade = '' } = req.headers;
      if (!/^websocket$/i.test(upgrade)) return false;
      const { label, gateway, isFunctions, isOwn } = hostOf(host);
      if (gateway) return true;
      if (label !== undefined || isFunctions) return label !== undefined;
      const url = decodeLeading(req.url ?? '/');
      return isOwn && isFor(at.api, host, pathOf(url)) && appOf(url) !== undefined;
    },
    upgrade(req, socket, head) {
      const requestId = requestIdOf(req);
      const { res, tunnel } = openUpgrade(req, socket, head);
      const { label, gateway } = hostOf(req.headers.host ?? '');
      if (label !== undefined) return parts.functionFront.upgrade(req, res, label, requestId, tunnel);
      const { url = '/' } = req;
      const byPath = gateway ? undefined : appOf(decodeLeading(url));
      const target = byPath ?? { app: '', ...gateway, rest: url, byHost: true };
      const fail = (thrown: unknown) => failWith(edge, req, res, thrown, requestId());
      if (namesTwoHosts(req.rawHeaders)) return fail(badRequest('Host: expected one'));
      run(() => throughGateway(edge, parts.gateway, req, res, target, requestId, tunnel), fail);
    },
    connect: (req, socket) => refuseConnect(socket, requestIdOf(req)()),
  };
}

/** Passes requests to the router of the API, with the request id. */
function apiListener(edge: Edge, paths: Parameters<typeof createApi>[1]) {
  const { trustedProxies } = edge.services.settings;
  const api = createApi(edge, paths);
  const requests = new WeakMap<object, { res: ServerResponse; requestId: string }>();
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const known = requests.get(incoming);
      // The listener is only called below, with HTTP/1 requests.
      if (!known || !(incoming instanceof IncomingMessage)) throw new Error('request without an entry in `requests`');
      const ip = clientAddress(trustedProxies, incoming);
      const response = await api.fetch(request, { requestId: known.requestId, ip, incoming });
      finishAndDrain(incoming, known.res, response.status);
      return response;
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  return (req: IncomingMessage, res: ServerResponse, requestId: RequestId) => {
    requestId.about = 'API';
    requests.set(req, { res, requestId: requestId() });
    void listener(req, res);
  };
}

/** Calls `what`, and `fail` with what it throws or rejects with. */
function run(what: () => void | Promise<void>, fail: (thrown: unknown) => void): void {
  try {
    what()?.catch(fail);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Two Host headers: an intermediary may have routed by the other one (RFC 9112, section 3.2). */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

const nothingAt = (path: string, base_url: string) =>
  new Failure(404, `Nothing is served at ${path.slice(0, 200)}. The API and connected apps are under ${base_url}.`);

/** RFC 9110, section 15.5.20: the server is not authoritative for this host. */
const notHere = (host: string, console_url: string) =>
  new Failure(
    421,
    `Host: ${host.slice(0, 200)} is not a host of this service. Use ${console_url}, or add the host to SLUICE_ALLOWED_HOSTS.`,
  );

type Place = { host: string; path: string };
const place = (address: string): Place => ({
  host: new URL(address).host,
  path: new URL(address).pathname.replace(/\/+$/, ''),
});

type Host = {
  /** The label of the function at this host. */
  label: string | undefined;
  /** The app or connection of a host of the gateway's domain. */
  gateway: GatewayHost | undefined;
  isFunctions: boolean;
  isName: boolean;
  isOwn: boolean;
  isIpAddress: boolean;
};
const KNOWN_HOSTS = 1000;

/** Classifies hosts, with a cache: requests have few distinct ones. */
function knownHosts({ addresses, hosts }: Settings): (host: string) => Host {
  const known = new Map<string, Host>();
  return (host) => {
    const before = known.get(host);
    if (before) return before;
    const found = {
      label: labelOf(
        addresses,
        addresses.functions_scheme === 'https' ? host.replace(/:443$/, '') : host.replace(/:80$/, ''),
      ),
      gateway: hosts.isOwn(host) ? undefined : gatewayHostOf(addresses, host),
      isFunctions: hosts.isFunctions(host),
      isName: URL.canParse(`http://${host}`),
      isOwn: hosts.isOwn(host),
      isIpAddress: isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) !== 0,
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
  const { log, settings } = edge.services;
  noteFailure(log, thrown, failure, { request_id: requestId });
  const ip = clientAddress(settings.trustedProxies, req);
  noteRefusal(log, failure, { request_id: requestId, ip, method: req.method });
  if (res.headersSent) return void res.destroy();
  const { status, headers, body } = errorResponse(failure, requestId);
  finishAndDrain(req, res, status);
  res.writeHead(status, { ...hstsHeaders(settings), ...headers }).end(body);
}

function text(res: ServerResponse, status: number, value: unknown): void {
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(`${JSON.stringify(value)}\n`);
}
