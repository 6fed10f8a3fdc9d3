import { useState } from 'react';
import { Field } from '../../ui/controls/Field.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import type { Starter } from './starter.ts';
import { STARTERS, starterOf } from './starters.ts';

const OPTIONS = [
  { value: '', label: 'Hello world' },
  ...STARTERS.map(({ id, title }) => ({ value: id, label: title })),
];

interface StarterFieldProps {
  /** The ID of the chosen starter; empty for the default. */
  readonly value: string;
  /** The code was edited: choosing another starter replaces it, so it asks first. */
  readonly isEdited: boolean;
  readonly onChoose: (starter: Starter | undefined) => void;
}

/** Chooses the code that a new function begins with. */
export function StarterField({ value, isEdited, onChoose }: StarterFieldProps) {
  const [asked, setAsked] = useState<string>();
  return (
    <Field label="Starter">
      <Select
        options={OPTIONS}
        value={starterOf(value) ? value : ''}
        onChange={({ currentTarget }) => {
          if (isEdited) setAsked(currentTarget.value);
          else onChoose(starterOf(currentTarget.value));
        }}
      />
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title="Replace the code?"
        confirmLabel="Replace code"
        onConfirm={() => {
          onChoose(starterOf(asked ?? ''));
          setAsked(undefined);
        }}
      >
        The edited code is replaced by that of the starter.
      </ConfirmDialog>
    </Field>
  );
}
