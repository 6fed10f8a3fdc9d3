import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Shows the values that the service has stored in a form that stays open. `sent` is a copy of the form's values from
 * when they were sent: a field that was edited since keeps its edit.
 */
export function showSaved<In extends FieldValues, Out>(form: UseFormReturn<In, unknown, Out>, sent: In, stored: In) {
  const typed = structuredClone(form.getValues());
  form.reset(stored);
  for (const name of Object.keys(typed) as Path<In>[]) {
    const value: PathValue<In, Path<In>> = typed[name];
    if (!isSame(value, sent[name])) form.setValue(name, value, { shouldDirty: true });
  }
}
