/** Form controls bound to fields of react-hook-form, each with label, help and error. */
import type { ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { Checkbox } from '../ui/controls/Checkbox.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { RadioCards, type RadioCardsProps } from '../ui/controls/RadioCards.tsx';
import { Select, type SelectProps } from '../ui/controls/Select.tsx';
import { TextArea, type TextAreaProps } from '../ui/controls/TextArea.tsx';
import { TextInput, type TextInputProps } from '../ui/controls/TextInput.tsx';
import { useFormField } from './form-fields.ts';

interface Bound<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly name: FieldPath<In>;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly optional?: boolean | undefined;
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
}

function useBound<In extends FieldValues, Out>({
  control,
  name,
  label,
  help,
  optional,
  aside,
  className,
}: Bound<In, Out>) {
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const frame = { label, help, optional, aside, className, required: !optional, error: fieldState.error?.message };
  return { field, frame };
}

type Own<P> = Omit<P, 'name' | 'value' | 'onChange' | 'onBlur' | 'ref' | 'className'>;

/** A single-line text field. */
export function TextField<In extends FieldValues, Out>(props: Bound<In, Out> & Own<TextInputProps>) {
  const { control, name, label, help, optional, aside, className, ...own } = props;
  const { field, frame } = useBound({ control, name, label, help, optional, aside, className });
  return (
    <Field {...frame}>
      <TextInput {...own} {...field} value={field.value ?? ''} />
    </Field>
  );
}

/** A multi-line text field. */
export function TextAreaField<In extends FieldValues, Out>(props: Bound<In, Out> & Own<TextAreaProps>) {
  const { control, name, label, help, optional, aside, className, ...own } = props;
  const { field, frame } = useBound({ control, name, label, help, optional, aside, className });
  return (
    <Field {...frame}>
      <TextArea {...own} {...field} value={field.value ?? ''} />
    </Field>
  );
}

interface SelectFieldProps<In extends FieldValues, Out> extends Bound<In, Out>, Own<SelectProps> {
  /** Called after a selection, to set dependent fields. */
  readonly onChosen?: (() => void) | undefined;
}

/** A select field. */
export function SelectField<In extends FieldValues, Out>(props: SelectFieldProps<In, Out>) {
  const { control, name, label, help, optional, aside, className, onChosen, ...own } = props;
  const { field, frame } = useBound({ control, name, label, help, optional, aside, className });
  return (
    <Field {...frame}>
      <Select
        {...own}
        {...field}
        value={field.value ?? ''}
        onChange={(event) => {
          field.onChange(event);
          onChosen?.();
        }}
      />
    </Field>
  );
}

/** A checkbox field. */
export function CheckboxField<In extends FieldValues, Out>({
  control,
  name,
  label,
  help,
}: Pick<Bound<In, Out>, 'control' | 'name' | 'label' | 'help'>) {
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, ...rest } = field;
  return (
    <Checkbox
      {...rest}
      label={label}
      help={fieldState.error?.message ?? help}
      aria-invalid={fieldState.invalid || undefined}
      checked={Boolean(value)}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** Radio cards: choices that each need a sentence. */
export function RadioCardsField<In extends FieldValues, Out, T extends string>({
  control,
  name,
  label,
  options,
}: Pick<Bound<In, Out>, 'control' | 'name'> & Pick<RadioCardsProps<T>, 'label' | 'options'>) {
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  return (
    <div>
      <RadioCards label={label} options={options} value={field.value as T | undefined} onChange={field.onChange} />
      {fieldState.error ? (
        <p role="alert" className="mt-1 text-12 text-bad-fg">
          {fieldState.error.message}
        </p>
      ) : null}
    </div>
  );
}
