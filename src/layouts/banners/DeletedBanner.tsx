import { type Query, useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { AnyInput, Operation } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Time } from '../../ui/Time.tsx';

type Kind = { word: string; id: string; list: (params: Record<string, string>) => string };
/** The resources that pages show, by the operation that reads them. */
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
/** Parents come before their parts: deleting a trigger deletes its destinations. */
const ORDER = Object.keys(KINDS);

type Key = [Operation, AnyInput];

/** Whether a cached resource is now not found. */
function isDeleted({ state: { data, error }, queryKey: [operation] }: Query): boolean {
  return String(operation) in KINDS && data !== undefined && error instanceof ApiError && error.status === 404;
}

/** The first resource on the page that was deleted while the page was open. */
function findDeleted(): Query | undefined {
  const deleted = queryClient.getQueryCache().findAll({ type: 'active', predicate: isDeleted });
  const rank = (query: Query) => ORDER.indexOf(String(query.queryKey[0]));
  return deleted.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Reports that the displayed resource was deleted elsewhere, and by whom. */
export default function DeletedBanner() {
  const subscribe = useCallback((onChange: () => void) => queryClient.getQueryCache().subscribe(onChange), []);
  const deleted = useSyncExternalStore(subscribe, findDeleted);
  if (!deleted) return null;
  const [operation, input] = deleted.queryKey as unknown as Key;
  const kind = KINDS[operation];
  const params = (input.params ?? {}) as Record<string, string>;
  return kind ? <Deleted key={deleted.queryHash} kind={kind} params={params} /> : null;
}

function Deleted({ kind, params }: { kind: Kind; params: Record<string, string> }) {
  const asked = q('auditList', { query: { resource_id: params[kind.id], limit: 1 } });
  const last = useQuery(asked).data?.entries[0];
  const deletion = last?.operation.endsWith('Delete') ? last : undefined;
  return (
    <Banner
      tone="warn"
      action={
        <Link className="font-medium underline underline-offset-2" to={kind.list(params)}>
          View all {kind.word}s
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
      . This page shows its last state.
    </Banner>
  );
}
