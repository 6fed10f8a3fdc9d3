/**
 * Network access of sandboxes without a network: an HTTP proxy on one socket per network policy, which is all that a
 * process can connect to. It resolves names, denies addresses that are not public and hosts that are not listed, and
 * connects to the addresses it has checked (platform/egress/egress.ts). So neither a redirect nor a name that resolves
 * differently the next time leads inside.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createEgress, type EgressPolicy } from '../../platform/egress/egress.ts';
import { isListed } from '../../platform/egress/host-list.ts';
import { REFUSAL_HEADER } from '../fleet/frames.ts';
import { type Network, networkKey } from './network-policy.ts';

export type EgressProxy = {
  /** The folder of the socket for processes with this policy; undefined when they may not connect to anything. */
  folderFor(network: Network): string | undefined;
  close(): void;
};

export const EGRESS_SOCKET = 'egress.sock';
const CONNECT_MS = 10_000;
const IDLE_MS = 300_000;
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
]);

/** The last is only for responses of the proxy itself, which a process trusts. */
const NOT_RETURNED = new Set([...HOP_BY_HOP, 'transfer-encoding', REFUSAL_HEADER]);

class Refused extends Error {
  override name = 'Refused';
}

/** Tests replace the resolver (`lookUp`) and the forbidden ranges (`cidrs`). */
export type Outside = { lookUp?: net.LookupFunction; cidrs?: string[]; tlsOnly?: boolean };

/** `tlsOnly` forbids requests and WebSockets without TLS; what a tunnel carries is not known. */
export function createEgressProxy(folder: string, { lookUp, cidrs = [], tlsOnly = false }: Outside = {}): EgressProxy {
  const egress = createEgress(cidrs, lookUp, undefined, { hosts: null, tlsOnly });
  const servers = new Map<string, { server: Server; place: string }>();
  return {
    folderFor(network) {
      if (network.policy === 'DENY_ALL') return undefined;
      const key = networkKey(network);
      const before = servers.get(key);
      if (before) return before.place;
      const place = path.join(folder, String(servers.size));
      mkdirSync(place, { mode: 0o711 });
      const server = serve(egress, network);
      // listen() on a unix socket has bound it when it returns.
      server.listen(path.join(place, EGRESS_SOCKET));
      chmodSync(path.join(place, EGRESS_SOCKET), 0o666);
      servers.set(key, { server, place });
      return place;
    },
    close() {
      for (const { server } of servers.values()) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function serve(egress: EgressPolicy, network: Network): Server {
  const server = createServer({ maxHeaderSize: 65_536, requestTimeout: 0 }, (req, res) => {
    forward(egress, network, req, res).catch((error: unknown) => {
      if (res.headersSent) return void res.destroy();
      const refusal = textOf(error);
      res.writeHead(error instanceof Refused ? 403 : 502, { [REFUSAL_HEADER]: refusal }).end(refusal);
    });
  });
  const refuse = (socket: Duplex) => (error: unknown) => {
    const status = error instanceof Refused ? '403 Forbidden' : '502 Bad Gateway';
    const lines = [`${REFUSAL_HEADER}: ${textOf(error)}`, 'Content-Length: 0', 'Connection: close'];
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`);
  };
  server.on('connect', (req, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    tunnel(egress, network, req.url ?? '', socket, head).catch(refuse(socket));
  });
  server.on('upgrade', (req, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(egress, network, req, socket, head).catch(refuse(socket));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

async function tunnel(egress: EgressPolicy, network: Network, target: string, socket: Duplex, head: Buffer) {
  const remote = net.connect(await vetted(egress, network, authorityOf(target)));
  await connected(remote);
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  join(socket, remote, head);
}

/** A WebSocket without TLS: forwards its head in origin form, and returns the server's response. */
async function upgrade(egress: EgressPolicy, network: Network, req: IncomingMessage, socket: Duplex, head: Buffer) {
  const url = httpUrl(req);
  const remote = net.connect(await vetted(egress, network, plainTarget(egress, url)));
  await connected(remote);
  const lines = req.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && !/^proxy-/i.test(name) ? [`${name}: ${all[at + 1]}\r\n`] : [],
  );
  remote.write(`${req.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  join(socket, remote, head);
}

function join(socket: Duplex, remote: net.Socket, head: Buffer): void {
  socket.once('close', () => remote.destroy());
  remote.once('close', () => socket.destroy());
  remote.on('error', () => socket.destroy());
  remote.setTimeout(IDLE_MS, () => remote.destroy());
  if (head.length > 0) remote.write(head);
  socket.pipe(remote);
  remote.pipe(socket);
}

function httpUrl(req: IncomingMessage): URL {
  const url = URL.parse(req.url ?? '');
  if (url?.protocol !== 'http:') throw new Refused('expected http://, or CONNECT');
  return url;
}

/** A request without TLS, which proxies receive in absolute form. */
async function forward(egress: EgressPolicy, network: Network, req: IncomingMessage, res: ServerResponse) {
  const url = httpUrl(req);
  const remote = net.connect(await vetted(egress, network, plainTarget(egress, url)));
  await connected(remote);
  res.once('close', () => remote.destroy());
  const headers = req.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && !HOP_BY_HOP.has(name.toLowerCase()) ? [name, all[at + 1] ?? ''] : [],
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const out = request({
    createConnection: () => remote,
    method: req.method,
    path: url.pathname + url.search,
    headers: [...headers, 'connection', 'close'],
  });
  out.setTimeout(IDLE_MS, () => remote.destroy());
  out.on('error', reject).on('response', (answer) => {
    const raw = answer.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 && !NOT_RETURNED.has(name.toLowerCase()) ? [name, all[at + 1] ?? ''] : [],
    );
    res.writeHead(answer.statusCode ?? 502, raw);
    answer.pipe(res).once('close', resolve);
    answer.on('error', () => res.destroy());
  });
  req.pipe(out);
  await promise;
}

type Target = { host: string; port: number };

const targetOf = (url: URL): Target => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || 80 });

/** The target of CONNECT is a host and a port only (RFC 9110, 9.3.6). */
function authorityOf(text: string): Target {
  const [, host, digits] = /^([^\s/?#@:[\]]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  if (!url?.hostname || port < 1 || port > 65_535) throw new Refused('expected host:port');
  return { ...targetOf(url), port };
}

/** The target of a request without TLS. Throws Refused if the installation allows none. */
function plainTarget(egress: EgressPolicy, url: URL): Target {
  const why = egress.forbids(url);
  if (why) throw new Refused(why);
  return targetOf(url);
}

function allows({ policy, allowedHosts }: Network, host: string, port: number): boolean {
  return policy === 'ALLOW_LIST' ? isListed(allowedHosts, host, port) : policy === 'ALLOW_ALL';
}

/** Resolves a host once, and checks that all of its addresses are public. Throws Refused. */
async function vetted(egress: EgressPolicy, network: Network, { host, port }: Target): Promise<net.TcpNetConnectOpts> {
  if (!allows(network, host, port)) throw new Refused(`${host} is not among the function's allowed hosts`);
  const ips = await egress.resolve(host);
  if (ips.length === 0) throw new Error(`${host} was not found`);
  for (const ip of ips) {
    const why = egress.refusal(ip);
    if (why) throw new Refused(`${host === ip ? host : `${host} (${ip})`} is not a public address (${why})`);
  }
  const found = ips.map((ip) => ({ address: ip, family: net.isIP(ip) }));
  return {
    host,
    port,
    lookup: (_, options, done) =>
      options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family ?? 4),
  };
}

async function connected(remote: net.Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => remote.destroy(new Error('no connection in time')), CONNECT_MS);
  remote.once('connect', resolve).once('error', reject);
  await promise.finally(() => clearTimeout(late));
  remote.off('error', reject);
}

/** The message in characters that a header allows. */
const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/[^\x20-\x7e]/g, ' ').slice(0, 300);
