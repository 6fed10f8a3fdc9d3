/** What a function may connect to, as Deno's flags. Deno checks the address that a name resolves to; a denial wins. */
import type { NetworkPolicy } from '../../../contract/states.ts';
import { FORBIDDEN_IPV4, readOwnAddresses } from '../../platform/egress/forbidden-networks.ts';
import { EGRESS_HOST, GATEWAY_ORIGIN } from '../fleet/frames.ts';

export type Network = { policy: NetworkPolicy; allowedHosts: readonly string[] };

/**
 * The forbidden networks as Deno takes them. Of the loopback network the address that stands for the egress proxy is
 * left out; of IPv6 Deno 2.9 knows no ranges.
 */
const FORBIDDEN = [
  ...FORBIDDEN_IPV4.flatMap(({ cidr }) => (cidr === '127.0.0.0/8' ? around(EGRESS_HOST, 8) : [cidr])),
  '[::]',
  '[::1]',
];
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/**
 * The flags of one process: its own sockets and the gateway's it may always use, and the egress proxy's, where the
 * process has no network. Then an address of the process's loopback stands for the proxy; else nothing ever listens
 * there.
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

/** Equal for networks that are the same. */
export const networkKey = ({ policy, allowedHosts }: Network): string =>
  policy === 'ALLOW_LIST' ? `${policy} ${[...allowedHosts].sort().join(',')}` : policy;

/** The ranges that make up the /`bits` around an IPv4 address, without the address itself. */
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

/** This machine's own addresses are named one by one, public ones too. They are read at each start of a process. */
function denied(hasProxy: boolean): string {
  const own = [...readOwnAddresses()]
    .filter((address) => !/^127\./.test(address))
    .map((address) => (address.includes(':') ? `[${address}]` : address));
  return `--deny-net=${[...new Set([...FORBIDDEN, ...(hasProxy ? [] : [EGRESS_HOST]), ...own])].join(',')}`;
}
