import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Impact } from '../../../components/impact/Impact.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { keepDraft } from '../code/draft.ts';
import { Callers, countOf, UsingDestinations, usesQuery } from '../FunctionUses.tsx';
import { versionsQuery } from '../function-queries.ts';

/** Asks for the function's name and shows the impact of deleting it. */
export function DeleteFunction({ fn, onClose }: { fn: HostedFunction; onClose: () => void }) {
  const { function_id, name } = fn;
  const params = { function_id };
  const navigate = useNavigate();
  const gone = useRef(false);
  // evicts its cache entries on unmount: earlier, the open page would refetch them
  useUnmount(() => {
    if (!gone.current) return;
    queryClient.removeQueries({
      predicate: ({ queryKey: [, input] }) => JSON.stringify(input)?.includes(function_id) ?? false,
    });
  });
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
      <DeletionImpact fn={fn} />
      <div className="mt-3">
        <Impact
          of={{ kind: 'FUNCTION', id: function_id }}
          parts={['code', 'triggers']}
          none="No other code names it."
        />
      </div>
      <p className="mt-3">This can’t be undone.</p>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('functionDelete', { params })} what="delete this function" />
      </div>
    </ConfirmDialog>
  );
}

function DeletionImpact({ fn }: { fn: HostedFunction }) {
  const uses = useQuery(usesQuery(fn));
  const versions = useInfiniteQuery(versionsQuery(fn.function_id));
  if (uses.isPending || versions.isPending) return <SkeletonLines label="Checking what uses it" />;

  const kept = versions.data?.pages.flatMap((page) => page.versions).length ?? 0;
  return (
    <ul className="list-disc pl-4">
      <li>
        {plural(kept, 'version')}
        {versions.hasNextPage ? ' and more' : ''}, its environment, all runs and logs are deleted.
      </li>
      <li>Its URL stays reserved for this account for 90 days.</li>
      {uses.data ? (
        <>
          <li>It ran {countOf(uses.data.runs)} in the last 7 days.</li>
          <li>
            <UsingDestinations uses={uses.data} />
          </li>
          {uses.data.runs > uses.data.deliveries ? (
            <li>
              <Callers uses={uses.data} />
            </li>
          ) : null}
          {uses.data.stars_elsewhere > 0 ? (
            <li>{plural(uses.data.stars_elsewhere, 'other account')} starred it.</li>
          ) : null}
        </>
      ) : (
        <li>The destinations that deliver to it could not be loaded.</li>
      )}
    </ul>
  );
}
