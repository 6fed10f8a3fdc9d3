import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';

/**
 * A form of a zod/mini schema: what is typed has the schema's input, what is sent its output. Errors are shown when
 * it is sent, and from then on while it is typed. An error shown when the focus leaves a field would push away the
 * button that the focus is leaving for, and the press would be lost.
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
