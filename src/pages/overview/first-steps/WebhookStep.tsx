import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { invalidate, q } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { StepError, StepRow } from './StepRow.tsx';
import { canSend, createFirstHook, type FirstHook, sendWebhook, webhookCommand } from './send-webhook.ts';

/** Sends a signed webhook to the public URL of a new trigger, and shows its delivery. */
export function WebhookStep({ done }: { readonly done: boolean }) {
  const reason = useReason('triggerCreate');
  const [hook, setHook] = useState<FirstHook>();
  const send = useMutation({
    mutationFn: async () => {
      const own = hook ?? (await createFirstHook());
      setHook(own);
      return canSend(own.url) ? sendWebhook(own) : undefined;
    },
    onSettled: () => void invalidate('triggerList', 'functionList', 'overviewGet'),
  });
  return (
    <StepRow
      title="Send a test webhook"
      what="Creates a trigger with a URL and a function that handles its events, then sends a signed request to that URL."
      done={done}
      result={
        send.error ? (
          <StepError error={send.error} />
        ) : hook && send.data ? (
          <Delivery hook={hook} eventId={send.data} />
        ) : null
      }
    >
      <Button
        icon={Send}
        variant={done ? 'default' : 'primary'}
        reason={reason}
        pending={send.isPending}
        onClick={() => send.mutate()}
      >
        Send a test webhook
      </Button>
      {hook ? (
        <>
          <CopyButton text={webhookCommand(hook)} label="Copy as curl: the webhook" size="md">
            Copy as curl
          </CopyButton>
          {canSend(hook.url) ? null : (
            <p className="text-fg-2">This page can’t send to the webhook URL. Run the copied command in a terminal.</p>
          )}
        </>
      ) : null}
    </StepRow>
  );
}

/** The delivery of the event, updated live. */
function Delivery({ hook: { trigger_id, destination_id }, eventId }: { hook: FirstHook; eventId: string }) {
  const event = useQuery(q('eventGet', { params: { trigger_id, event_id: eventId } })).data?.event;
  const delivery = event?.deliveries.find((each) => each.destination_id === destination_id);
  const words =
    delivery === undefined || delivery.status === 'PENDING'
      ? 'Received and verified; being delivered…'
      : delivery.status === 'SUCCEEDED'
        ? `Received, verified and delivered: the function responded ${delivery.last_response_status}.`
        : 'Received and verified; the delivery failed.';
  return (
    <p>
      {words}{' '}
      <Link className="link underline underline-offset-2" to={path.triggerEvent(trigger_id, eventId)}>
        Open event
      </Link>
    </p>
  );
}
