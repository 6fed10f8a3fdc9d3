import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { HostedFunction } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { Button } from '../../../ui/controls/Button.tsx';

type Granted = {
  gateway_policy: HostedFunction['gateway_policy'];
  gateway_grants: readonly { app: string }[];
};

/** The apps that the live code calls, and that the function is not granted. */
export function useMissingApps(fn: HostedFunction, granted: Granted = fn): string[] {
  const { function_id, version } = fn;
  const { data } = useQuery({
    ...q('functionTrust', { params: { function_id }, query: { version } }),
    enabled: granted.gateway_policy !== 'ALLOW_ALL',
    retry: false,
  });
  if (granted.gateway_policy === 'ALLOW_ALL') return [];
  const named = granted.gateway_policy === 'DENY_ALL' ? [] : granted.gateway_grants.map(({ app }) => app);
  return (data?.trust.apps ?? []).map(({ name }) => name).filter((app) => !named.includes(app));
}

interface MissingGrantsProps {
  readonly fn: HostedFunction;
  /** The edited grants. */
  readonly granted: Granted;
  readonly onGrant: (apps: string[]) => void;
}

/** Asks for the apps that the code calls. */
export function MissingGrants({ fn, granted, onGrant }: MissingGrantsProps) {
  const missing = useMissingApps(fn, granted);
  if (missing.length === 0) return null;
  return (
    <section
      aria-label="Apps that the code calls"
      className="flex flex-wrap items-center gap-2 rounded border border-warn-line bg-warn-bg px-3 py-2 text-12"
    >
      <TriangleAlert size={14} strokeWidth={2} className="flex-none text-warn-fg" aria-hidden />
      <span className="min-w-0 flex-1 wrap-anywhere">
        Its code calls <span className="data">{missing.join(', ')}</span>, which it is not granted.
      </span>
      <Button size="sm" onClick={() => onGrant(missing)}>
        {missing.length === 1 ? `Grant ${missing[0]}` : 'Grant all'}
      </Button>
    </section>
  );
}
