import { useState } from 'react';
import { CAPTURE } from '../../../contract/limits.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { SentError } from '../../forms/Form.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { SHARES, SPANS } from './capture-words.ts';

export interface CaptureDialogProps {
  /** Whose calls are captured. */
  readonly target: { connection_id: string } | { app: string };
  /** "Ledger", the name of the connection or app. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Begins to capture the requests and responses of a connection or an app. */
export default function CaptureDialog({ target, name, onClose }: CaptureDialogProps) {
  const [minutes, setMinutes] = useState('60');
  const [percent, setPercent] = useState('100');
  const reason = useReason('captureCreate');
  const { mutate, isPending, error } = useApiMutation('captureCreate', {
    failure: 'inline',
    invalidates: ['captureList'],
    onSuccess: onClose,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Capture requests and responses"
      description={`Headers and bodies of gateway calls of ${name} are stored, so that you can read and repeat them.`}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="capture-dialog" variant="primary" pending={isPending} reason={reason}>
            Start capture
          </Button>
        </>
      }
    >
      <form
        id="capture-dialog"
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined && !isPending)
            mutate({ body: { ...target, minutes: Number(minutes), percent: Number(percent) } });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <Field label="For">
            <Select options={SPANS} value={minutes} onChange={(event) => setMinutes(event.target.value)} />
          </Field>
          <Field label="Capture">
            <Select options={SHARES} value={percent} onChange={(event) => setPercent(event.target.value)} />
          </Field>
        </div>
        <p className="text-12 text-fg-2">
          Credentials and fields with names such as password or token are masked. Other data of your users is not. Up to{' '}
          {CAPTURE.bodyBytes / 1024} KB of a body and the newest {CAPTURE.calls} calls of the account are kept, for{' '}
          {CAPTURE.days} days.
        </p>
        {error ? <SentError error={error} /> : null}
      </form>
    </Dialog>
  );
}
