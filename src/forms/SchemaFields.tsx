import { type Control, type FieldPath, type FieldValues as FormValues, useController } from 'react-hook-form';
import { Checkbox } from '../ui/controls/Checkbox.tsx';
import { CheckboxField, SelectField, TextAreaField, TextField } from './fields.tsx';
import { useFormField } from './form-fields.ts';
import type { SchemaField } from './schema-fields.ts';

export interface SchemaFieldsProps<In extends FormValues, Out> {
  readonly control: Control<In, unknown, Out>;
  /** The path of the values in the form: `parameters`. */
  readonly name: string;
  readonly fields: readonly SchemaField[];
  readonly readOnly?: boolean | undefined;
}

/** The fields of a JSON Schema, each with a suitable control. */
export function SchemaFields<In extends FormValues, Out>({
  control,
  name,
  fields,
  readOnly,
}: SchemaFieldsProps<In, Out>) {
  return (
    <div className="grid gap-4">
      {fields.map((field) => (
        <OneField key={field.name} control={control} name={`${name}.${field.name}`} field={field} readOnly={readOnly} />
      ))}
    </div>
  );
}

interface OneFieldProps<In extends FormValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly name: string;
  readonly field: SchemaField;
  readonly readOnly?: boolean | undefined;
}

function OneField<In extends FormValues, Out>({ control, name, field, readOnly }: OneFieldProps<In, Out>) {
  const { label, help, required, kind, choices, example, constraints } = field;
  const bound = { control, name: name as FieldPath<In>, label, help };
  const text = { ...bound, optional: !required, placeholder: example, readOnly };
  switch (kind) {
    case 'text':
      return <TextField {...text} />;
    case 'long-text':
      return <TextAreaField {...text} />;
    case 'number':
      return <TextField {...text} inputMode={constraints.whole ? 'numeric' : 'decimal'} mono />;
    case 'list':
      return <TextAreaField {...text} rows={2} help={help ? `${withStop(help)} One per line.` : 'One per line.'} />;
    case 'json':
      return <TextAreaField {...text} mono placeholder={example ?? 'JSON'} />;
    case 'yes-no':
      return <CheckboxField {...bound} />;
    case 'choice':
      return (
        <SelectField
          {...bound}
          optional={!required}
          placeholder={required ? 'Select…' : 'Not set'}
          options={choices.map(({ value, label: words }) => ({ value, label: words }))}
        />
      );
    case 'choices':
      return <Choices control={control} name={name} field={field} />;
    case 'group':
      return (
        <fieldset className="min-w-0">
          <legend className="mb-2 text-12 font-medium text-fg-2">
            {label} {required ? null : <span className="ml-0.5 font-normal text-fg-3">optional</span>}
          </legend>
          {help ? <p className="-mt-1 mb-2 text-12 text-fg-3">{help}</p> : null}
          <div className="border-l border-line-2 pl-3">
            <SchemaFields control={control} name={name} fields={field.fields} readOnly={readOnly} />
          </div>
        </fieldset>
      );
  }
}

const withStop = (text: string) => (/[.!?:]\s*$/.test(text) ? text.trim() : `${text.trim()}.`);

/** Checkboxes for a list with fixed choices. */
function Choices<In extends FormValues, Out>({ control, name, field }: OneFieldProps<In, Out>) {
  useFormField(name);
  const { field: bound, fieldState } = useController({ control, name: name as FieldPath<In> });
  const chosen: readonly string[] = Array.isArray(bound.value) ? bound.value : [];
  const note = fieldState.error?.message ?? field.help;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-12 font-medium text-fg-2">
        {field.label} {field.required ? null : <span className="ml-0.5 font-normal text-fg-3">optional</span>}
      </legend>
      <div className="flex flex-wrap gap-x-4">
        {field.choices.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onBlur={bound.onBlur}
            onChange={({ target }) =>
              bound.onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
        ))}
      </div>
      {note ? <p className={fieldState.error ? 'mt-1 text-12 text-bad-fg' : 'mt-1 text-12 text-fg-3'}>{note}</p> : null}
    </fieldset>
  );
}
