import { useLocation, useNavigate } from 'react-router';
import { putEvent } from '../../api/live/live-lists.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { CallInput, Reply } from '../../api/operation.ts';
import { useReason } from '../../api/session.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { toast } from '../../ui/overlays/toast.ts';

export type ReplayBody = NonNullable<CallInput<'eventReplay'>['body']>;
export type EventIds = { readonly trigger_id: string; readonly event_id: string };

/** The result of a replay in words. */
export function replayWords({ event, skipped }: Reply<'eventReplay'>): { title: string; description?: string } {
  const open = event.deliveries.filter(({ status }) => status === 'PENDING' || status === 'RETRYING').length;
  const stays = skipped.map(({ destination_id, reason }) => {
    const delivery = event.deliveries.find((each) => each.destination_id === destination_id);
    return `${delivery?.destination_name ?? destination_id}: ${reason}`;
  });
  const description = stays.length > 0 ? { description: stays.join(' ') } : {};
  if (open === 0 && stays.length > 0) return { title: 'Nothing was replayed', ...description };
  return { title: `Replay of ${event.event_type} sent to ${plural(open, 'destination')}`, ...description };
}

/**
 * Replays a stored event. Page and focus do not change, the row updates in place. The toast links to the event if its
 * panel is not open.
 */
export function useReplay() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const reason = useReason('eventReplay');
  const mutation = useApiMutation('eventReplay', {
    failure: 'The event was not replayed',
    onSuccess: (reply, _, sentAt) => {
      const { trigger_id, event_id } = reply.event;
      putEvent(reply.event, sentAt);
      const { title, description } = replayWords(reply);
      const action = pathname.includes(event_id)
        ? undefined
        : { label: 'Open event', onPress: () => void navigate(path.event(trigger_id, event_id)) };
      const skipped = reply.skipped.length > 0;
      // the row and the open panel show the result
      if (pathname.includes(event_id) && !skipped) return;
      toast({ title, description, action, tone: skipped ? 'bad' : 'ok' });
    },
  });
  const replay = ({ trigger_id, event_id }: EventIds, body: ReplayBody = {}) => {
    if (!reason) mutation.mutate({ params: { trigger_id, event_id }, body });
  };
  return { replay, reason, pending: mutation.isPending, said: mutation.data && replayWords(mutation.data).title };
}
