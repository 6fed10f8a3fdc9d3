import { type Query, useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { AnyInput, Operation } from '../api/operation.ts';
import { q } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { Link } from '../components/Link.tsx';
import { path } from '../lib/path.ts';
import { Banner } from '../ui/Banner.tsx';
import { Time } from '../ui/Time.tsx';

type Kind = { word: string; id: string; list: (params: Record<string, string>) => string };
/** The things a page is about, by the operation that reads them. */
const KINDS: Partial<Record<Operation, Kind>> = {
  triggerGet: { word: 'trigger', id: 'trigger_id', list: () => path.triggers() },
  destinationGet: {
    word: 'destination',
    id: 'destination_id',
    list: ({ trigger_id = '' }) => path.trigger(trigger_id, 'destinations'),
  },
  functionGet: { word: 'function', id: 'function_id', list: () => path.functions() },
  connectionGet: { word: 'connection', id: 'connection_id', list: () => path.connections() },
  appGet: { word: 'app', id: 'app', list: () => path.connections() },
};
/** What a page is about comes before its parts: with a trigger its destinations are gone. */
const ORDER = Object.keys(KINDS);

type Key = [Operation, AnyInput];

/** It was read before, and now it is not found any more. */
function isGone({ state: { data, error }, queryKey: [operation] }: Query): boolean {
  return String(operation) in KINDS && data !== undefined && error instanceof ApiError && error.status === 404;
}

/** The first thing on the page that was deleted while the page was open. */
function findGone(): Query | undefined {
  const gone = queryClient.getQueryCache().findAll({ type: 'active', predicate: isGone });
  const rank = (query: Query) => ORDER.indexOf(String(query.queryKey[0]));
  return gone.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Says in place that what the page shows was deleted elsewhere, and by whom. */
export default function GoneBanner() {
  const subscribe = useCallback((onChange: () => void) => queryClient.getQueryCache().subscribe(onChange), []);
  const gone = useSyncExternalStore(subscribe, findGone);
  if (!gone) return null;
  const [operation, input] = gone.queryKey as unknown as Key;
  const kind = KINDS[operation];
  const params = (input.params ?? {}) as Record<string, string>;
  return kind ? <Gone key={gone.queryHash} kind={kind} params={params} /> : null;
}

function Gone({ kind, params }: { kind: Kind; params: Record<string, string> }) {
  const asked = q('auditList', { query: { resource_id: params[kind.id], limit: 1 } });
  const last = useQuery(asked).data?.entries[0];
  const deletion = last?.operation.endsWith('Delete') ? last : undefined;
  return (
    <Banner
      tone="warn"
      action={
        <Link className="font-medium underline underline-offset-2" to={kind.list(params)}>
          Open the list
        </Link>
      }
    >
      This {kind.word} was deleted
      {deletion ? (
        <>
          {' '}
          by {deletion.actor_name} <Time at={deletion.at} />
        </>
      ) : null}
      . What you see is its last state.
    </Banner>
  );
}
