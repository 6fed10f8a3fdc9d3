import { Plus, X } from 'lucide-react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { DESTINATION_HEADERS_MAX } from '../../../../../contract/limits.ts';
import { useFormField } from '../../../../forms/form-fields.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import { type HeaderRow, newHeader } from '../destination-form.ts';
import type { DestinationFieldsProps } from './AddressFields.tsx';

/** Headers of every delivery. Stored values are write-only: they can be kept, replaced or removed. */
export function HeadersField<In extends FieldValues, Out>({ control, at, readOnly }: DestinationFieldsProps<In, Out>) {
  const name = `${at}headers` as FieldPath<In>;
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const rows = field.value as readonly HeaderRow[];
  const change = (index: number, patch: Partial<HeaderRow>) =>
    field.onChange(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  // errors of the whole list are at its root
  const error = fieldState.error?.message ?? fieldState.error?.root?.message;
  return (
    <fieldset className="min-w-0" aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="sr-only">Headers</legend>
      <div className="mb-1 flex min-h-6 items-center gap-1.5">
        <span aria-hidden className="text-12 font-medium text-fg-2">
          Headers
        </span>
        <span className="min-w-0 flex-1 truncate text-12 text-fg-3">
          stored values are masked; {'{{ payload.id }}'} inserts a value of the event
        </span>
        {readOnly ? null : (
          <Button
            size="sm"
            variant="ghost"
            icon={Plus}
            reason={rows.length >= DESTINATION_HEADERS_MAX ? `At most ${DESTINATION_HEADERS_MAX} headers.` : undefined}
            onClick={() => field.onChange([...rows, newHeader()])}
          >
            Add header
          </Button>
        )}
      </div>
      {rows.length === 0 ? <p className="text-12 text-fg-3">No custom headers.</p> : null}
      <ul className="grid gap-1.5">
        {rows.map((row, index) => (
          <HeaderLine
            key={row.key}
            row={row}
            number={index + 1}
            readOnly={readOnly ?? false}
            onChange={(patch) => change(index, patch)}
            onRemove={() => field.onChange(rows.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {error ? (
        <p id={`${name}-error`} role="alert" className="mt-1 text-12 wrap-anywhere text-bad-fg">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface HeaderLineProps {
  readonly row: HeaderRow;
  readonly number: number;
  readonly readOnly: boolean;
  readonly onChange: (patch: Partial<HeaderRow>) => void;
  readonly onRemove: () => void;
}

function HeaderLine({ row, number, readOnly, onChange, onRemove }: HeaderLineProps) {
  const called = row.name || `header ${number}`;
  return (
    <li className="flex items-center gap-1.5">
      <TextInput
        mono
        aria-label={`Name of header ${number}`}
        placeholder="x-api-key"
        // only a new row has no name
        autoFocus={row.name === ''}
        className="basis-2/5"
        readOnly={row.kept || readOnly}
        value={row.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {row.kept ? (
        <span className="flex h-ctl min-w-0 flex-1 items-center gap-2 rounded border border-line bg-sunken pl-2 text-fg-2">
          <span className="data min-w-0 flex-1 truncate">{row.value}</span>
          {readOnly ? null : (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Replace the value of ${called}`}
              onClick={() => onChange({ value: '', kept: false })}
            >
              Replace
            </Button>
          )}
        </span>
      ) : (
        <TextInput
          mono
          aria-label={`Value of ${called}`}
          className="flex-1"
          value={row.value}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
      {readOnly ? null : <IconButton icon={X} label={`Remove ${called}`} tip="Remove" onClick={onRemove} />}
    </li>
  );
}
