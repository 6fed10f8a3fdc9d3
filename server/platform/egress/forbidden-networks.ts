/**
 * Networks that the service must not connect to on behalf of an account: the single list for destinations, apps, feeds,
 * MCP servers, the egress proxy (egress.ts) and the flags of the sandbox (runtime/network/network-policy.ts). Sources:
 * IANA's special-purpose registries, and the metadata addresses of clouds.
 */
import os from 'node:os';

type Network = { cidr: string; why: string };

export const FORBIDDEN_IPV4: readonly Network[] = [
  { cidr: '0.0.0.0/8', why: 'unspecified' },
  { cidr: '10.0.0.0/8', why: 'private' },
  { cidr: '100.64.0.0/10', why: 'carrierGradeNat' },
  { cidr: '127.0.0.0/8', why: 'loopback' },
  // Azure's WireServer. The metadata services of other clouds are in 169.254.0.0/16, 100.64.0.0/10 and 192.0.0.0/24.
  { cidr: '168.63.129.16/32', why: 'metadata' },
  { cidr: '169.254.0.0/16', why: 'linkLocal' },
  { cidr: '172.16.0.0/12', why: 'private' },
  { cidr: '192.0.0.0/24', why: 'reserved' },
  { cidr: '192.0.2.0/24', why: 'reserved' },
  { cidr: '192.168.0.0/16', why: 'private' },
  { cidr: '198.18.0.0/15', why: 'reserved' },
  { cidr: '198.51.100.0/24', why: 'reserved' },
  { cidr: '203.0.113.0/24', why: 'reserved' },
  { cidr: '224.0.0.0/4', why: 'multicast' },
  { cidr: '240.0.0.0/4', why: 'reserved' },
];

/** IANA assigns only 2000::/3 of IPv6 (RFC 4291, section 2.4): the rest is forbidden, metadata services included. */
export const PUBLIC_IPV6 = '2000::/3';

const REFRESH_MS = 5_000;
let own = new Set<string>();
let readAtMs = Number.NEGATIVE_INFINITY;

/**
 * This machine's addresses, including public ones: services that listen on all of them are meant for its own network.
 */
export function ownAddresses(): ReadonlySet<string> {
  if (performance.now() - readAtMs < REFRESH_MS) return own;
  own = readOwnAddresses();
  readAtMs = performance.now();
  return own;
}

/** The same, read from the system now. */
export const readOwnAddresses = (): Set<string> =>
  new Set(
    Object.values(os.networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address.split('%')[0] ?? ''),
  );
