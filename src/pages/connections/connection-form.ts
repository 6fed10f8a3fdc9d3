/** A connection as its forms have it. */
import * as z from 'zod/mini';
import { objectIn } from '../../../contract/text/exact-json.ts';

export const nameField = z.string().check(z.trim(), z.maxLength(100, 'Enter at most 100 characters.'));

export const settingsSchema = z.object({
  name: nameField,
  metadata: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || objectIn(text) !== undefined, 'Enter a JSON object, such as {"team": "sales"}.'),
  ),
});
export type ConnectionSettings = z.infer<typeof settingsSchema>;

export function settingsOf(name: string | null, metadata: Readonly<Record<string, unknown>>): ConnectionSettings {
  return {
    name: name ?? '',
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2),
  };
}

/** The metadata as entered; the form rejects text that is no object. */
export function metadataOf({ metadata }: ConnectionSettings): Record<string, unknown> {
  return objectIn(metadata) ?? {};
}
