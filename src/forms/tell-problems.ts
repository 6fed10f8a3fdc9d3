import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Problem } from './schema-values.ts';

/** Tells what can't be sent beside each field, and takes the keyboard to the first. `within` is where the values stand. */
export function tellProblems<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  problems: readonly Problem[],
  within = '',
): void {
  for (const [index, { name, message }] of problems.entries())
    form.setError(`${within}${name}` as FieldPath<In>, { type: 'typed', message }, { shouldFocus: index === 0 });
}
