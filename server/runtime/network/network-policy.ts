/** Deno's flags for what a function may connect to. Deno checks the address that a name resolves to; a denial wins. */
import type { NetworkPolicy } from '../../../contract/states.ts';
import { FORBIDDEN_IPV4, readOwnAddresses } from '../../platform/egress/forbidden-networks.ts';
import { inBoth } from '../../platform/egress/host-list.ts';
import { EGRESS_HOST, GATEWAY_ORIGIN } from '../fleet/frames.ts';

export type Network = { policy: NetworkPolicy; allowedHosts: readonly string[] };

/**
 * The forbidden networks in Deno's syntax. The loopback network excludes the address of the egress proxy; Deno 2.9
 * supports no IPv6 ranges.
 */
const FORBIDDEN = [
  ...FORBIDDEN_IPV4.flatMap(({ cidr }) => (cidr === '127.0.0.0/8' ? around(EGRESS_HOST, 8) : [cidr])),
  '[::]',
  '[::1]',
];
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/**
 * The flags of one process. It may always use its sockets and that of the gateway, and, without a network, that of the
 * egress proxy. In that case one address of its loopback represents the proxy; otherwise nothing listens there.
 */
export function networkFlags({ policy, allowedHosts }: Network, sockets: string[], hasProxy: boolean): string[] {
  const own = [...sockets.map((socket) => `unix:${socket}`), new URL(GATEWAY_ORIGIN).host].join(',');
  const proxy = hasProxy ? [EGRESS_HOST] : [];
  switch (policy) {
    case 'DENY_ALL':
      return [`--allow-net=${own}`];
    case 'ALLOW_ALL':
      return ['--allow-net', denied(hasProxy)];
    case 'ALLOW_LIST':
      return [`--allow-net=${[own, ...proxy, ...allowedHosts.map(checkedHost)].join(',')}`, denied(hasProxy)];
  }
}

/** What is left of a function's network under the hosts that the installation may call; null: all. */
export function within({ policy, allowedHosts }: Network, hosts: readonly string[] | null): Network {
  if (hosts === null || policy === 'DENY_ALL') return { policy, allowedHosts };
  return { policy: 'ALLOW_LIST', allowedHosts: policy === 'ALLOW_ALL' ? hosts : inBoth(allowedHosts, hosts) };
}

/** Equal for equal networks. */
export const networkKey = ({ policy, allowedHosts }: Network): string =>
  policy === 'ALLOW_LIST' ? `${policy} ${[...allowedHosts].sort().join(',')}` : policy;

/** The ranges that cover the /`bits` around an IPv4 address, except that address. */
function around(address: string, bits: number): string[] {
  const whole = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return Array.from({ length: 32 - bits }, (_, index) => {
    const size = 2 ** index;
    const start = (Math.floor(whole / size) ^ 1) * size;
    const parts = [24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256);
    return `${parts.join('.')}/${32 - index}`;
  });
}

function checkedHost(host: string): string {
  if (HOST.test(host)) return host;
  throw new Error(`"${host}" is not a host name such as api.example.com`);
}

/** This machine's addresses, each one, including public ones. They are read whenever a process starts. */
function denied(hasProxy: boolean): string {
  const own = [...readOwnAddresses()]
    .filter((address) => !/^127\./.test(address))
    .map((address) => (address.includes(':') ? `[${address}]` : address));
  return `--deny-net=${[...new Set([...FORBIDDEN, ...(hasProxy ? [] : [EGRESS_HOST]), ...own])].join(',')}`;
}
