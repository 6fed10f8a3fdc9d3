import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { HostedFunction } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../components/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { SETTLED } from '../../components/UnsavedChanges.tsx';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { keepDraft } from './draft.ts';
import { versionsQuery } from './function-queries.ts';

const DAY_MS = 86_400_000;
const COUNTED_MAX = 200;

/** Asks for the function's name, and says what its end touches. */
export function DeleteFunction({ fn, onClose }: { fn: HostedFunction; onClose: () => void }) {
  const { function_id, name } = fn;
  const params = { function_id };
  const navigate = useNavigate();
  const gone = useRef(false);
  // what was known of it is forgotten once the page about it is left: sooner, and the page would ask again
  useEffect(
    () => () => {
      if (!gone.current) return;
      queryClient.removeQueries({
        predicate: ({ queryKey: [, input] }) => JSON.stringify(input)?.includes(function_id) ?? false,
      });
    },
    [function_id],
  );
  const remove = useApiMutation('functionDelete', {
    failure: `${name} was not deleted`,
    onSuccess: async () => {
      keepDraft(function_id, undefined);
      gone.current = true;
      await navigate(path.functions(), { replace: true, state: SETTLED });
      toast({ title: `${name} deleted`, tone: 'ok' });
    },
    invalidates: ['functionList', 'functionSearch', 'runListAll', 'auditList'],
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}`}
      confirmLabel="Delete function"
      typeName={name}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
    >
      <Touched fn={fn} />
      <p className="mt-2">This can’t be undone.</p>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('functionDelete', { params })} what="delete this function" />
      </div>
    </ConfirmDialog>
  );
}

function Touched({ fn }: { fn: HostedFunction }) {
  const params = { function_id: fn.function_id };
  // the day counts from when the dialog was opened
  const [since] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const runs = useQuery(q('runList', { params, query: { since, limit: COUNTED_MAX } }));
  const versions = useInfiniteQuery(versionsQuery(fn.function_id));
  const triggers = useQuery(newestTriggersQuery);
  if (runs.isPending || versions.isPending || triggers.isPending)
    return <SkeletonLines label="Looking what it touches" />;

  const targets = (triggers.data?.triggers ?? []).flatMap((trigger) =>
    trigger.destinations.filter(({ url }) => isAt(url, fn.url)).map((destination) => ({ trigger, destination })),
  );
  const ran = runs.data?.runs.length ?? 0;
  const kept = versions.data?.pages.flatMap((page) => page.versions).length ?? 0;
  return (
    <ul className="list-disc pl-4">
      <li>
        {plural(kept, 'version')}
        {versions.hasNextPage ? ' and more' : ''}, its environment, all runs and logs are deleted.
      </li>
      <li>
        It ran {runs.data?.next_token ? `more than ${COUNTED_MAX} times` : plural(ran, 'time')} in the last 24 hours.
      </li>
      {targets.length === 0 ? (
        <li>No destination of a trigger delivers to it.</li>
      ) : (
        targets.map(({ trigger, destination }) => (
          <li key={destination.destination_id}>
            Deliveries of{' '}
            <Link className="link" to={path.trigger(trigger.trigger_id)}>
              {trigger.name}
            </Link>{' '}
            to {destination.name} will fail.
          </li>
        ))
      )}
    </ul>
  );
}

function isAt(url: string, address: string): boolean {
  return url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`);
}
