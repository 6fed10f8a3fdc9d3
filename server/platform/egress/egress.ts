/**
 * Restricts the addresses that the service connects to on behalf of accounts. IP addresses are checked before
 * connecting, names after resolving (one private address blocks the name), and the peer's address once connected.
 * Unusual spellings and DNS rebinding are therefore blocked.
 */
import dns from 'node:dns';
import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';
import { FORBIDDEN_IPV4, ownAddresses, PUBLIC_IPV6 } from './forbidden-networks.ts';

export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  readonly code = 'BLOCKED_ADDRESS';
}

export type EgressPolicy = {
  /** The reason why this IP address is blocked, or null. */
  refusal(ip: string): string | null;
  /** The IP addresses that a connection to a host would use; none if it does not resolve in time. */
  resolve(host: string): Promise<string[]>;
  /** The same without a time limit; rejects with the resolver's error. */
  lookUp(host: string): Promise<string[]>;
  /** Resolves the host of a URL and throws BlockedAddress if a connection would; an unresolvable name passes. */
  check(address: string): Promise<void>;
  /** An undici agent that checks every connection. */
  agent(options?: Agent.Options): Agent;
  /** A connector that checks each connection; uses TLS if the protocol is `https:`. */
  connector(options?: buildConnector.BuildOptions): buildConnector.connector;
  /**
   * A connector for a host from the settings of the installation, which no account can choose: its IP addresses are not
   * checked, so that a private one needs no SLUICE_ALLOW_PRIVATE_CIDRS, which would allow it to every destination.
   */
  operatorConnector(options?: buildConnector.BuildOptions): buildConnector.connector;
};

/** Time limit for resolving a name without connecting. */
const CHECK_TIMEOUT_MS = 5_000;

/** `lookUp` is the system's resolver, `own` this machine's addresses; tests replace them. */
export function createEgress(
  allowCidrs: string[],
  lookUp: net.LookupFunction = dns.lookup,
  own: () => ReadonlySet<string> = ownAddresses,
): EgressPolicy {
  const allowed = allowCidrs.map((text) => ipaddr.parseCIDR(text));

  function refusal(ip: string): string | null {
    const text = bare(ip);
    if (!ipaddr.isValid(text)) return 'not an IP address';
    const address = ipaddr.process(text);
    if (allowed.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))) return null;
    const range = address.range();
    const inner = embedded(address, range);
    if (inner) return refusal(inner);
    if (range !== 'unicast') return range;
    return own().has(address.toString()) ? 'own address of this machine' : forbidden(address);
  }

  const refuse = (host: string, ip: string) => {
    const why = refusal(ip);
    return why
      ? new BlockedAddress(`${host === ip ? host : `${host} (${ip})`} is not a public address (${why})`)
      : null;
  };

  const lookup: net.LookupFunction = (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, answer) => {
      const found = Array.isArray(answer) ? answer : [];
      if (error) return done(error, []);
      const blocked = found.map(({ address }) => refuse(host, address)).find((each) => each !== null);
      if (blocked) return done(blocked, []);
      const [first] = found;
      if (options.all) done(null, found);
      else done(null, first?.address ?? '', first?.family);
    });
  };

  function resolve(given: string): Promise<string[]> {
    const host = bare(given);
    if (net.isIP(host)) return Promise.resolve([host]);
    return new Promise((ok) => {
      const timer = setTimeout(() => ok([]), CHECK_TIMEOUT_MS);
      lookUp(host, { all: true }, (error, answer) => {
        clearTimeout(timer);
        ok(error || !Array.isArray(answer) ? [] : answer.map(({ address }) => address));
      });
    });
  }

  function connector(options: buildConnector.BuildOptions = {}): buildConnector.connector {
    const base = buildConnector({ timeout: 10_000, allowH2: false, ...options, lookup });
    return (target, done) => {
      const host = bare(target.hostname);
      const blocked = net.isIP(host) ? refuse(host, host) : null;
      if (blocked) return queueMicrotask(() => done(blocked, null));
      base(target, (...result) => {
        const [error, socket] = result;
        if (error) return done(error, null);
        const late = refuse(host, socket?.remoteAddress ?? '');
        if (!late) return done(...result);
        socket?.destroy();
        done(late, null);
      });
    };
  }

  return {
    refusal,
    resolve,
    lookUp: (host) =>
      new Promise((ok, refuse) => {
        lookUp(host, { all: true }, (error, answer) => {
          if (error) refuse(error);
          else ok(Array.isArray(answer) ? answer.map(({ address }) => address) : [answer]);
        });
      }),
    async check(address) {
      const host = bare(new URL(address).hostname);
      for (const ip of await resolve(host)) {
        const blocked = refuse(host, ip);
        if (blocked) throw blocked;
      }
    },
    agent(options = {}) {
      const { connect, ...rest } = options;
      return new Agent({ allowH2: false, ...rest, connect: connector(typeof connect === 'object' ? connect : {}) });
    },
    connector,
    operatorConnector: (options = {}) =>
      buildConnector({ timeout: 10_000, allowH2: false, ...options, lookup: lookUp }),
  };
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '').split('%')[0] ?? '';

/** The IPv4 address embedded in an IPv6 address. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): string | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const four = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  // 64:ff9b:1::/48 is for local-use networks (RFC 8215), which choose the position of the embedded address.
  if (range === 'rfc6145' || (range === 'rfc6052' && address.parts[2] === 0))
    return four(address.parts[6], address.parts[7]);
  if (range === '6to4') return four(address.parts[1], address.parts[2]);
  // "IPv4-compatible", long deprecated: ::127.0.0.1
  if (address.parts.slice(0, 6).every((part) => part === 0) && range === 'unicast')
    return four(address.parts[6], address.parts[7]);
  return undefined;
}

const IPV4 = FORBIDDEN_IPV4.map(({ cidr, why }) => ({ network: ipaddr.IPv4.parseCIDR(cidr), why }));
const IPV6 = ipaddr.IPv6.parseCIDR(PUBLIC_IPV6);

function forbidden(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  if (address instanceof ipaddr.IPv6) return address.match(IPV6) ? null : 'reserved';
  return IPV4.find(({ network }) => address.match(network))?.why ?? null;
}
