/** What a function may connect to, as Deno's flags. Deno checks the address that a name resolves to; a denial wins. */
import { networkInterfaces } from 'node:os';
import type { NetworkPolicy } from '../../contract/states.ts';
import { GATEWAY_ORIGIN } from './frames.ts';

export type Network = { policy: NetworkPolicy; allowedHosts: readonly string[] };

/** Everything that is not the public internet (IANA's special-purpose registry), and this host's own private IPv6. */
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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

/** The flags of one process: its own socket and the gateway's it may always use. */
export function networkFlags({ policy, allowedHosts }: Network, sockets: string[]): string[] {
  const own = [...sockets.map((socket) => `unix:${socket}`), new URL(GATEWAY_ORIGIN).host].join(',');
  switch (policy) {
    case 'DENY_ALL':
      return [`--allow-net=${own}`];
    case 'ALLOW_ALL':
      return ['--allow-net', denied()];
    case 'ALLOW_LIST':
      return [`--allow-net=${[own, ...allowedHosts.map(checkedHost)].join(',')}`, denied()];
  }
}

/** Equal for processes that may serve each other's functions. */
export const networkKey = ({ policy, allowedHosts }: Network): string =>
  policy === 'ALLOW_LIST' ? `${policy} ${[...allowedHosts].sort().join(',')}` : policy;

function checkedHost(host: string): string {
  if (HOST.test(host)) return host;
  throw new Error(`"${host}" is not a host name such as api.example.com`);
}

/** Deno 2.9 knows no IPv6 ranges, so the addresses of this host that nobody else has are named one by one. */
function denied(): string {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address.split('%')[0] ?? '')
    .filter((address) => /^(f[cd]|fe[89ab])/i.test(address))
    .map((address) => `[${address}]`);
  return `--deny-net=${[...PRIVATE, ...own].join(',')}`;
}
