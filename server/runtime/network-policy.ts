/** What a function may connect to, as Deno's flags. Deno checks the address that a name resolves to; a denial wins. */
import { networkInterfaces } from 'node:os';
import type { NetworkPolicy } from '../../contract/states.ts';
import { EGRESS_HOST, GATEWAY_ORIGIN } from './frames.ts';

export type Network = { policy: NetworkPolicy; allowedHosts: readonly string[] };
export type Language = 'javascript' | 'python';
/** What a process is booted for, before it is known for which function. */
export type Needs = Network & { language: Language };

/** Everything that is not the public internet (IANA's special-purpose registry), and this host's own private IPv6. */
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  ...around(EGRESS_HOST, 8),
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '[::]',
  '[::1]',
];
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/**
 * The flags of one process: its own sockets and the gateway's it may always use, and the egress proxy's, where the
 * process has no network. Then an address of its own loopback stands for the proxy; else nobody ever listens there.
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

/** Equal for processes that may serve each other's functions. */
export const needsKey = (needs: Needs): string => `${needs.language} ${networkKey(needs)}`;

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

/** Deno 2.9 knows no IPv6 ranges, so the addresses of this host that nobody else has are named one by one. */
function denied(hasProxy: boolean): string {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address.split('%')[0] ?? '')
    .filter((address) => /^(f[cd]|fe[89ab])/i.test(address))
    .map((address) => `[${address}]`);
  return `--deny-net=${[...PRIVATE, ...(hasProxy ? [] : [EGRESS_HOST]), ...own].join(',')}`;
}
