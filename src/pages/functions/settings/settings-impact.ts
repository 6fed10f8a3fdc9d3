/** The impact of changed function settings on callers and other accounts. */
import type { HostedFunction } from '../../../api/entities.ts';
import { plural } from '../../../lib/format.ts';
import type { Files } from '../code/draft.ts';
import { hostsIn, type Settings } from './function-settings.ts';

/** External hosts that the code names. Hosts that are computed at run time are unknown. */
export function hostsNamedIn(files: Files): readonly string[] {
  const hosts = new Set<string>();
  for (const text of Object.values(files)) {
    for (const [, host = ''] of text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/gi))
      hosts.add(host.toLowerCase());
    if (hosts.size > 200) break;
  }
  return [...hosts].sort();
}

/** `*.example.com` matches all subdomains. */
export function isAllowed(host: string, allowed: readonly string[]): boolean {
  return allowed.some((rule) => {
    const name = rule.toLowerCase().replace(/:\d+$/, '');
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
  });
}

/** Hosts that the code names and that the new policy blocks. */
export function refusedHosts(named: readonly string[], values: Settings): readonly string[] {
  if (values.network_policy === 'ALLOW_ALL') return [];
  const allowed = values.network_policy === 'ALLOW_LIST' ? hostsIn(values.allowed_hosts) : [];
  return named.filter((host) => !isAllowed(host, allowed));
}

/** The versions that other accounts can read if this version is the first public one of `all`. */
export function publicVersionsText(serving: number, all: number): string {
  const hidden = all - 1;
  const stay = hidden === 1 ? 'stays' : 'stay';
  if (hidden === 0) return `Other accounts see version ${serving} and later.`;
  return serving === all
    ? `Other accounts see version ${serving} and later; ${plural(hidden, 'earlier version')} ${stay} private.`
    : `Other accounts see version ${serving} and versions deployed from now on; ${plural(hidden, 'other version')} ${stay} private.`;
}

export type Change = 'renamed' | 'hidden' | 'shown' | 'closed' | 'opened' | 'confined';

/** The kinds of change that affect others; the remaining fields affect no other account. */
export function changesIn(values: Settings, fn: HostedFunction): readonly Change[] {
  const wasOpen = fn.invoke_access === 'ANYONE' && fn.visibility !== 'PRIVATE';
  const isOpen = values.invoke_access === 'ANYONE' && values.visibility !== 'PRIVATE';
  const confined =
    values.network_policy !== 'ALLOW_ALL' &&
    (values.network_policy !== fn.network_policy || hostsIn(values.allowed_hosts).join() !== fn.allowed_hosts.join());
  return [
    ...(values.name.trim() === fn.name ? [] : ['renamed' as const]),
    ...(fn.visibility === 'PUBLIC' && values.visibility !== 'PUBLIC' ? ['hidden' as const] : []),
    ...(fn.visibility !== 'PUBLIC' && values.visibility === 'PUBLIC' ? ['shown' as const] : []),
    ...(wasOpen && !isOpen ? ['closed' as const] : []),
    ...(!wasOpen && isOpen ? ['opened' as const] : []),
    ...(confined ? ['confined' as const] : []),
  ];
}
