import type { HostedFunction } from '../../../api/entities.ts';

/** The network policy in a sentence. */
export function networkWords({
  network_policy,
  allowed_hosts,
}: Pick<HostedFunction, 'network_policy' | 'allowed_hosts'>) {
  if (network_policy === 'DENY_ALL') return 'Reaches nothing but the gateway.';
  if (network_policy === 'ALLOW_ALL') return 'May reach every public address.';
  return `May reach ${allowed_hosts.join(', ')}, and the gateway.`;
}
