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
import { isListed } from './host-list.ts';

export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  readonly code = 'BLOCKED_ADDRESS';
  /** Not because of its IP address, but because the rules of the installation forbid the URL. */
  readonly isForbidden: boolean;

  constructor(message: string, { isForbidden = false } = {}) {
    super(message);
    this.isForbidden = isForbidden;
  }
}

/** Limits of the installation for what accounts choose. */
export type EgressRules = {
  /** The only hosts that may be called (host-list.ts); null: all. */
  hosts: readonly string[] | null;
  /** Only with TLS. */
  tlsOnly: boolean;
};

export type EgressPolicy = {
  /** The reason why this IP address is blocked, or null. */
  refusal(ip: string): string | null;
  /** The reason why the rules of the installation forbid a URL, whatever its IP addresses, or null. */
  forbids(url: URL): string | null;
  /** The IP addresses that a connection to a host would use; none if it does not resolve in time. */
  resolve(host: string): Promise<string[]>;
  /** The same without a time limit; rejects with the resolver's error. */
  lookUp(host: string): Promise<string[]>;
  /** Throws BlockedAddress if a connection to the URL would; a name that can't be resolved passes. */
  check(address: string): Promise<void>;
  /** An undici agent that checks every connection. */
  agent(options?: Agent.Options): Agent;
  /** A connector that checks each connection; uses TLS if the protocol is `https:`. */
  connector(options?: buildConnector.BuildOptions): buildConnector.connector;
  /**
   * A connector for a host from the settings of the installation, which no account can choose: nothing is checked, so that a private one needs no SLUICE_ALLOW_PRIVATE_CIDRS, which would allow it to every destination.
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
  { hosts, tlsOnly }: EgressRules = { hosts: null, tlsOnly: false },
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

  function forbids({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): string | null {
    const isSecure = protocol === 'https:' || protocol === 'wss:';
    if (tlsOnly && !isSecure) return `${bare(hostname)} is called without TLS, and this installation allows only https`;
    if (hosts === null || isListed(hosts, bare(hostname), Number(port) || (isSecure ? 443 : 80))) return null;
    return `${bare(hostname)} is not among the hosts that this installation may call`;
  }

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
      const forbidden = forbids(target);
      const blocked = forbidden
        ? new BlockedAddress(forbidden, { isForbidden: true })
        : net.isIP(host)
          ? refuse(host, host)
          : null;
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
    forbids,
    resolve,
    lookUp: (host) =>
      new Promise((ok, refuse) => {
        lookUp(host, { all: true }, (error, answer) => {
          if (error) refuse(error);
          else ok(Array.isArray(answer) ? answer.map(({ address }) => address) : [answer]);
        });
      }),
    async check(address) {
      const url = new URL(address);
      const forbidden = forbids(url);
      if (forbidden) throw new BlockedAddress(forbidden, { isForbidden: true });
      const host = bare(url.hostname);
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
