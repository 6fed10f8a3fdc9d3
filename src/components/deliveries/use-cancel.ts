import { putEvent } from '../../api/live/live-lists.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { toast } from '../../ui/overlays/toast.ts';
import type { EventIds } from '../replays/use-replay.ts';

/** Cancels the open delivery of an event to one destination. The row updates in place. */
export function useCancel() {
  const reason = useReason('eventCancel');
  const { mutate, isPending } = useApiMutation('eventCancel', {
    failure: 'The delivery was not canceled',
    onSuccess: ({ event, canceled }, _, sentAt) => {
      putEvent(event, sentAt);
      if (canceled === 0) toast({ title: 'The delivery had already ended', tone: 'neutral' });
    },
  });
  const cancel = ({ trigger_id, event_id }: EventIds, destination_id: string) =>
    mutate({ params: { trigger_id, event_id }, body: { destination_ids: [destination_id] } });
  return { cancel, reason, pending: isPending };
}
