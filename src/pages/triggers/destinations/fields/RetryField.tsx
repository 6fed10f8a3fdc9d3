import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { useFormField } from '../../../../forms/form-fields.ts';
import { formatSpan, plural } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';
import { delaysOf, NEVER, readDelays, totalMs } from './retry-delays.ts';

const PRESETS = [
  { label: 'Default', value: '' },
  { label: 'Fast', value: '5 s, 30 s, 2 min, 10 min' },
  { label: 'Slow', value: '1 min, 10 min, 1 h, 6 h, 12 h, 1 d, 1 d' },
  { label: 'No retries', value: NEVER },
];

/** The retry schedule: the number of attempts and the total duration. */
export function RetryField<In extends FieldValues, Out>({
  control,
  at,
  readOnly = false,
}: DestinationFieldsProps<In, Out>) {
  const name = `${at}retry_schedule` as FieldPath<In>;
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const text = String(field.value);
  const read = readDelays(text);
  return (
    <div>
      <Field
        label="Retry schedule"
        optional
        error={read.ok ? fieldState.error?.message : read.message}
        help={read.ok ? <InWords seconds={delaysOf(read.seconds)} own={read.seconds !== null} /> : undefined}
      >
        <TextInput mono {...field} value={text} readOnly={readOnly} placeholder="5 s, 5 min, 30 min, 2 h" />
      </Field>
      {readOnly ? null : (
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          {PRESETS.map(({ label, value }) => (
            <Button key={label} size="sm" aria-pressed={text.trim() === value} onClick={() => field.onChange(value)}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function InWords({ seconds, own }: { seconds: readonly number[]; own: boolean }) {
  if (seconds.length === 0) return 'One attempt, no retries.';
  return (
    <>
      {own ? '' : 'Default schedule: '}
      {plural(seconds.length + 1, 'attempt')} over {formatSpan(totalMs(seconds))}, each delay ± 20 %:{' '}
      <span className="data">{seconds.map((each) => formatSpan(each * 1_000)).join(' · ')}</span>
    </>
  );
}
