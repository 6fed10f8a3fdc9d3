import type { HostedFunction } from '../../../api/entities.ts';

/** Describes the network policy in a sentence. */
export function networkWords({
  network_policy,
  allowed_hosts,
}: Pick<HostedFunction, 'network_policy' | 'allowed_hosts'>) {
  if (network_policy === 'DENY_ALL') return 'Gateway only.';
  if (network_policy === 'ALLOW_ALL') return 'All public hosts.';
  return `${allowed_hosts.join(', ')} and the gateway.`;
}
