import { useState } from 'react';
import { SECRET_OVERLAP_HOURS } from '../../../../contract/limits.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';

const OVERLAPS = [
  { value: '0', label: 'not at all (revoke it now)' },
  { value: '1', label: 'for 1 hour' },
  { value: '24', label: 'for 24 hours' },
  { value: '72', label: 'for 3 days' },
  { value: String(SECRET_OVERLAP_HOURS.max), label: 'for 7 days' },
];

export interface RotateDialogProps {
  /** The name of the secret's owner. */
  readonly name: string;
  /** The label of the overlap choice. */
  readonly old: string;
  readonly description: string;
  readonly pending: boolean;
  readonly onClose: () => void;
  readonly onRotate: (overlapHours: number) => void;
}

/** Asks for the overlap of the old and the new secret before rotating. */
export function RotateDialog({ name, old, description, pending, onClose, onRotate }: RotateDialogProps) {
  const [hours, setHours] = useState(String(SECRET_OVERLAP_HOURS.default));
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate the secret of ${name}`}
      description={description}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" pending={pending} onClick={() => onRotate(Number(hours))}>
            Rotate secret
          </Button>
        </>
      }
    >
      <Field label={old}>
        <Select options={OVERLAPS} value={hours} onChange={(event) => setHours(event.target.value)} />
      </Field>
    </Dialog>
  );
}
