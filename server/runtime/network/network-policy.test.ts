import os from 'node:os';
import { expect, test, vi } from 'vitest';
import { createEgress } from '../../platform/egress/egress.ts';
import { FORBIDDEN_IPV4 } from '../../platform/egress/forbidden-networks.ts';
import { EGRESS_HOST } from '../fleet/frames.ts';
import { networkFlags } from './network-policy.ts';

const deniedBy = (policy: 'ALLOW_ALL' | 'ALLOW_LIST', hasProxy = false) =>
  networkFlags({ policy, allowedHosts: ['example.com'] }, ['/s.sock'], hasProxy)
    .find((flag) => flag.startsWith('--deny-net='))
    ?.slice('--deny-net='.length)
    .split(',') ?? [];

test.each(FORBIDDEN_IPV4.map(({ cidr }) => cidr))('%s is denied to the service and to functions', (cidr) => {
  expect(createEgress([]).refusal(cidr.split('/')[0] ?? '')).not.toBeNull();
  if (cidr === '127.0.0.0/8') return expect(deniedBy('ALLOW_ALL')).toContain(EGRESS_HOST);
  for (const policy of ['ALLOW_ALL', 'ALLOW_LIST'] as const) expect(deniedBy(policy)).toContain(cidr);
});

test.each(['168.63.129.16', '169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'])(
  'the metadata service at %s is denied',
  (address) => expect(createEgress([]).refusal(address)).not.toBeNull(),
);

test('public addresses of this machine are denied to the service and to functions', () => {
  const own = [{ address: '198.41.0.7' }, { address: '2001:500:2::7' }] as os.NetworkInterfaceInfo[];
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own });
  try {
    expect(deniedBy('ALLOW_ALL')).toEqual(expect.arrayContaining(['198.41.0.7', '[2001:500:2::7]']));
  } finally {
    vi.restoreAllMocks();
  }
  const addresses = new Set(own.map(({ address }) => address));
  const { refusal } = createEgress([], undefined, () => addresses);
  for (const address of ['198.41.0.7', '::ffff:198.41.0.7', '2001:500:2::7', '2001:0500:0002::0007'])
    expect(refusal(address)).toBe('own address of this machine');
  expect(refusal('198.41.0.8')).toBeNull();
  expect(createEgress(['198.41.0.0/24'], undefined, () => addresses).refusal('198.41.0.7')).toBeNull();
});
