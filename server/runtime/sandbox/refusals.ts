/**
 * Connections that the network policy does not allow, in a process without the egress proxy: each is logged with its
 * host, and fails with an error that says why. Deno's permissions deny them in any case; this code only explains.
 */
import type net from 'node:net';
import { type Conn, deno } from './deno.ts';
import { changeNode } from './node.ts';
import { replaceLazily } from './replace-lazily.ts';
import { say } from './scope.ts';
import { targetOf } from './socket-target.ts';

const WHY = 'the network policy of this run does not allow it';
const PORTS: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

/** Throws if the URL of a request may not be connected to. */
export type CheckUrl = (address: string) => void;

/** Called once, while the sandbox boots. Undefined if the process may connect to any host. */
export function explainRefusals(): CheckUrl | undefined {
  const query = deno.permissions.querySync.bind(deno.permissions);
  if (query({ name: 'net' }).state === 'granted') return undefined;

  /** The reason, logged; undefined if the policy allows the host or Deno has to decide. */
  const refusalOf = (host: string, port: number): string | undefined => {
    const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    try {
      if (query({ name: 'net', host: `${name}:${port}` }).state === 'granted') return undefined;
    } catch {
      return undefined;
    }
    const why = `The connection to ${name}:${port} was refused: ${WHY}`;
    say('warn', why);
    return why;
  };
  const check = (host: string, port: number) => {
    const why = refusalOf(host, port);
    if (why) throw new Error(why);
  };
  const checkUrl: CheckUrl = (address) => {
    const url = URL.parse(address);
    const port = url && PORTS[url.protocol];
    const why = url && port && refusalOf(url.hostname, Number(url.port) || port);
    if (why) throw new TypeError(`fetch failed: ${why}`);
  };

  const { connect, connectTls, resolveDns } = deno;
  const tcp =
    (plain: (options: object) => Promise<Conn>) =>
    async (options: { transport?: string; hostname?: string; port?: number }) => {
      if (!options.transport || options.transport === 'tcp')
        check(options.hostname ?? 'localhost', Number(options.port));
      return plain(options);
    };
  Object.assign(deno, {
    connect: tcp(connect),
    connectTls: tcp(connectTls),
    resolveDns: async (name: string, ...more: unknown[]) => {
      check(String(name), 53);
      return Reflect.apply(resolveDns, deno, [name, ...more]);
    },
  });
  const checked: ProxyHandler<new (...values: never[]) => object> = {
    construct(target, values: unknown[], newTarget) {
      checkUrl(String(values[0]));
      return Reflect.construct(target, values, newTarget);
    },
  };
  for (const name of ['WebSocket', 'EventSource'] as const)
    replaceLazily(globalThis, name, (genuine) => new Proxy(genuine, checked as ProxyHandler<typeof genuine>));
  changeNode((node) => refuseInNode(node, refusalOf));
  return checkUrl;
}

/** A Node socket fails as without a server. */
function refuseInNode(node: typeof net, refusalOf: (host: string, port: number) => string | undefined): void {
  const plain = node.Socket.prototype.connect;
  node.Socket.prototype.connect = function (this: net.Socket, ...values: unknown[]) {
    const target = targetOf(values)?.target;
    const host = target?.host ?? 'localhost';
    const why = target && refusalOf(host, Number(target.port));
    if (!why) return Reflect.apply(plain, this, values);
    const message = `connect ECONNREFUSED ${host}:${target.port} (${why})`;
    // As in connect() itself: listeners of the error are added after it.
    queueMicrotask(() => this.destroy(Object.assign(new Error(message), { code: 'ECONNREFUSED', syscall: 'connect' })));
    return this;
  } as typeof plain;
}
