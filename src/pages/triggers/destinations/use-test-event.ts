import type { EventDetail, Trigger } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';

/** Makes an event from the event type's sample. It takes the same way as any other, to every destination. */
export function useTestEvent(trigger: Trigger, onSent?: (event: EventDetail) => void) {
  const reason = useReason('triggerTest');
  const test = useApiMutation('triggerTest', {
    failure: 'No test event was sent',
    onSuccess: ({ event }) => onSent?.(event),
  });
  return {
    reason,
    pending: test.isPending,
    send: () => test.mutate({ params: { trigger_id: trigger.trigger_id } }),
  };
}
