import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Problem } from './schema-values.ts';

/** Shows each problem at its field and focuses the first. `within` is the path of the values. */
export function showProblems<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  problems: readonly Problem[],
  within = '',
): void {
  for (const [index, { name, message }] of problems.entries())
    form.setError(`${within}${name}` as FieldPath<In>, { type: 'typed', message }, { shouldFocus: index === 0 });
}
