/** Form values of a trigger. */
import * as z from 'zod/mini';
import type { FieldValues } from '../../../forms/schema-fields.ts';
import { destinationSchema } from '../destinations/destination-form.ts';
import { readFilter } from '../destinations/fields/filter-text.ts';

export const triggerFields = {
  name: z.string().check(z.trim(), z.maxLength(100, 'Enter at most 100 characters.')),
  description: z.string().check(z.maxLength(2_000, 'Enter at most 2,000 characters.')),
  parameters: z.custom<FieldValues>(),
  connection_id: z.string(),
  filter: z.string().check(z.refine((text) => readFilter(text).ok, 'Enter a filter.')),
  /** The source's signing secret, if the source generates it; never returned by the API. */
  secret: z.string().check(z.trim(), z.maxLength(1_000, 'Enter at most 1,000 characters.')),
};

export const newTriggerSchema = z.object({ ...triggerFields, destinations: z.array(destinationSchema) });
export type NewTriggerValues = z.infer<typeof newTriggerSchema>;

export const triggerSettingsSchema = z.object({
  ...triggerFields,
  name: triggerFields.name.check(z.minLength(1, 'Enter a name.')),
});
export type TriggerSettings = z.infer<typeof triggerSettingsSchema>;
