import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';

/**
 * A form validated by a zod/mini schema: its values have the schema's input type, submitted values the output type.
 * Errors are shown on submit, and after that while typing. Validation on blur would move the button that the user is
 * about to click, and the click would miss it.
 */
export function useSchemaForm<In extends FieldValues, Out extends FieldValues>(
  schema: z.ZodMiniType<Out, In>,
  defaultValues: DefaultValues<NoInfer<In>>,
): UseFormReturn<In, unknown, Out> {
  return useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    mode: 'onSubmit',
  });
}
