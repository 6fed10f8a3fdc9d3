import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Problem } from './schema-values.ts';

/** Tells what can't be sent beside each field, and takes the keyboard to the first. `name` is where the values stand. */
export function tellProblems<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  name: string,
  problems: readonly Problem[],
): void {
  for (const [index, problem] of problems.entries())
    form.setError(
      `${name}.${problem.name}` as FieldPath<In>,
      { type: 'typed', message: problem.message },
      { shouldFocus: index === 0 },
    );
}
