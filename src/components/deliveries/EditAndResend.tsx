import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { EventDetail } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { TextArea } from '../../ui/controls/TextArea.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { readPayload } from '../events/payload-text.ts';
import { CopyAsCurl, curlText } from './CopyAsCurl.tsx';

export interface EditAndResendProps {
  readonly event: EventDetail;
  readonly open: boolean;
  /** The edited text is kept while the dialog is closed. */
  readonly onClose: () => void;
}

/** Edits the payload and sends it as a new event. The original event does not change. */
export default function EditAndResend({ event, open, onClose }: EditAndResendProps) {
  const { trigger_id, event_id } = event;
  const original = JSON.stringify(event.payload, null, 2);
  const [text, setText] = useState(original);
  const navigate = useNavigate();
  const role = useReason('eventCreate');
  const params = { trigger_id };
  const create = useApiMutation('eventCreate', {
    failure: 'inline',
    onSuccess: ({ event: made }) => {
      onClose();
      setText(original);
      toast({
        title: 'Sent as a new event',
        tone: 'ok',
        action: { label: 'Open event', onPress: () => void navigate(path.event(trigger_id, made.event_id)) },
      });
    },
  });
  const read = readPayload(text);
  const problem = 'problem' in read ? read.problem : undefined;
  const body = { payload: 'payload' in read ? read.payload : {}, replay_of: event_id };
  return (
    <Dialog
      wide
      open={open}
      onClose={onClose}
      title="Edit and resend"
      description="Sends a new event with its own ID, linked to this one. This event does not change."
      foot={
        <>
          <span className="mr-auto">
            <CopyAsCurl text={() => curlText('eventCreate', { params, body })} what="send this payload" />
          </span>
          <Button
            reason={text === original ? 'There are no changes yet.' : undefined}
            onClick={() => setText(original)}
          >
            Reset
          </Button>
          <Button
            variant="primary"
            reason={role ?? problem}
            pending={create.isPending}
            onClick={() => create.mutate({ params, body })}
          >
            Send as new event
          </Button>
        </>
      }
    >
      <Field label="Payload" error={problem ?? create.error?.message}>
        <TextArea mono rows={14} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </Dialog>
  );
}
