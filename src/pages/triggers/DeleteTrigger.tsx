import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PAGE } from '../../../contract/limits.ts';
import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { q } from '../../api/queries.ts';
import { SETTLED } from '../../components/UnsavedChanges.tsx';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';

const DAY_MS = 86_400_000;

/** Confirms the deletion and shows its impact: destinations, traffic, webhook registration. */
export function DeleteTrigger({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const { trigger_id, name, destinations, ingress } = trigger;
  const navigate = useNavigate();
  const remove = useApiMutation('triggerDelete', {
    failure: 'The trigger was not deleted',
    invalidates: ['triggerList'],
    onSuccess: ({ hook }) => {
      if (hook && hook.state !== 'REMOVED')
        toast({
          title:
            hook.state === 'LEFT'
              ? 'The webhook registration is still at the app'
              : 'The webhook registration is being removed',
          description:
            hook.state === 'LEFT'
              ? `Remove it manually. ${hook.message ?? ''}`
              : `The app could not be reached; removal is retried automatically. ${hook.message ?? ''}`,
          tone: hook.state === 'LEFT' ? 'bad' : 'neutral',
        });
      return navigate(path.triggers(), { replace: true, state: SETTLED });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}`}
      confirmLabel="Delete trigger"
      typeName={name}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { trigger_id } })}
    >
      <p>
        <Traffic triggerId={trigger_id} /> Pending retries are canceled. This can’t be undone.
        {ingress?.hook === 'REGISTERED' ? ' The webhook registration is removed.' : ''}
      </p>
      {destinations.length > 0 ? (
        <p className="mt-2">
          {plural(destinations.length, 'destination')} and {destinations.length === 1 ? 'its secret' : 'their secrets'}{' '}
          are deleted too:{' '}
          <span className="wrap-anywhere text-fg">{destinations.map((each) => each.name).join(', ')}</span>.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}

function Traffic({ triggerId }: { triggerId: string }) {
  const [received_after] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const query = { received_after, limit: PAGE.events.max };
  const { data } = useQuery(q('eventList', { params: { trigger_id: triggerId }, query }));
  if (!data) return 'Its events can no longer be read.';
  const count =
    data.next_token === null ? plural(data.events.length, 'event') : `more than ${data.events.length} events`;
  return `It received ${data.events.length === 0 ? 'no events' : count} in the last 24 h; its events can no longer be read.`;
}
