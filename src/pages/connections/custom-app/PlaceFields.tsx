import { useController } from 'react-hook-form';
import { TextField } from '../../../forms/fields.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import type { FormPart } from './form-control.ts';

const PLACES = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query' },
] as const;

export interface PlaceFieldsProps extends Pick<FormPart, 'control'> {
  readonly name: 'JWT.place' | 'OAUTH2.place';
  /** The placeholder that the value must contain: `{access_token}`. */
  readonly token: string;
}

/** The place of a token in the request. */
export function PlaceFields({ control, name, token }: PlaceFieldsProps) {
  const { field } = useController({ control, name: `${name}.in` });
  return (
    <PlaceGrid label="Send token in">
      <SegmentedControl label="Send token in" options={PLACES} value={field.value} onChange={field.onChange} />
      <TextField control={control} name={`${name}.name`} label="Field name" mono />
      <TextField
        control={control}
        name={`${name}.template`}
        label="Value"
        mono
        help={`${token} is replaced with the token.`}
      />
    </PlaceGrid>
  );
}

/** One row: place, field name, value. */
export function PlaceGrid({
  label,
  children: [choice, ...fields],
}: {
  label: string;
  children: readonly [React.ReactNode, ...React.ReactNode[]];
}) {
  return (
    <div className="grid grid-cols-[max-content_minmax(0,1fr)_minmax(0,1.4fr)] items-start gap-4 max-sm:grid-cols-1">
      <div>
        <p aria-hidden className="mb-1 text-12 font-medium text-fg-2">
          {label}
        </p>
        {choice}
      </div>
      {fields}
    </div>
  );
}
