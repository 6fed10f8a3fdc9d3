import type { EventDetail, Trigger } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';

/** Creates an event from the sample of the event type. It is delivered like any other, to every destination. */
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
