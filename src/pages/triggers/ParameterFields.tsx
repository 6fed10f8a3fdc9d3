import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../forms/fields.tsx';
import type { ParameterField } from './parameter-fields.ts';
import { ScheduleFields } from './ScheduleFields.tsx';

export interface ParameterFieldsProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly source: string;
  readonly fields: readonly ParameterField[];
  readonly readOnly?: boolean | undefined;
}

/** The parameters of an event type; a schedule's have a form of their own. */
export function ParameterFields<In extends FieldValues, Out>(props: ParameterFieldsProps<In, Out>) {
  const { control, source, fields, readOnly } = props;
  if (source === 'schedule') return <ScheduleFields control={control} readOnly={readOnly} />;
  if (fields.length === 0) return <p className="text-fg-2">This event type has nothing to set.</p>;
  return (
    <div className="grid gap-4">
      {fields.map((field) => (
        <OneField key={field.name} control={control} field={field} readOnly={readOnly} />
      ))}
    </div>
  );
}

interface OneFieldProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly field: ParameterField;
  readonly readOnly: boolean | undefined;
}

function OneField<In extends FieldValues, Out>({ control, field, readOnly }: OneFieldProps<In, Out>) {
  const { label, help, required, kind, choices, example } = field;
  const bound = { control, name: `parameters.${field.name}` as FieldPath<In>, label, help };
  const text = { ...bound, optional: !required, placeholder: example, readOnly };
  switch (kind) {
    case 'text':
      return <TextField {...text} />;
    case 'number':
      return <TextField {...text} inputMode="numeric" mono />;
    case 'json':
      return <TextAreaField {...text} mono placeholder={example ?? 'JSON'} />;
    case 'yes-no':
      return <CheckboxField {...bound} />;
    case 'choice':
      return (
        <SelectField
          {...bound}
          optional={!required}
          placeholder={required ? undefined : 'not set'}
          options={choices.map((value) => ({ value, label: value }))}
        />
      );
  }
}
