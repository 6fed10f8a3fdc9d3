import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * For a form that stays open: call it when its values are sent. The returned function shows the values that the service
 * has stored, in which a field that was edited meanwhile keeps its edit.
 */
export function keepTyped<In extends FieldValues, Out>(form: UseFormReturn<In, unknown, Out>) {
  const sent = structuredClone(form.getValues());
  return (stored: In): void => {
    const typed = structuredClone(form.getValues());
    form.reset(stored);
    for (const name of Object.keys(typed) as Path<In>[]) {
      const value: PathValue<In, Path<In>> = typed[name];
      if (!isSame(value, sent[name])) form.setValue(name, value, { shouldDirty: true });
    }
  };
}
