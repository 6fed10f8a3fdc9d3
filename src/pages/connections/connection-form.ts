/** A connection as its forms have it. */
import * as z from 'zod/mini';
import { TAGS } from '../../../contract/limits.ts';
import { objectIn } from '../../../contract/text/exact-json.ts';
import type { Connection } from '../../api/entities.ts';
import { tagsIn } from './tags.ts';

export const nameField = z.string().check(z.trim(), z.maxLength(100, 'Enter at most 100 characters.'));

const line = (max: number) => z.string().check(z.trim(), z.maxLength(max, `Enter at most ${max} characters.`));

export const settingsSchema = z
  .object({
    name: nameField,
    tags: z.string().check(
      z.refine((text) => tagsIn(text).length <= TAGS.max, `Enter at most ${TAGS.max} tags.`),
      z.refine(
        (text) => tagsIn(text).every((tag) => tag.length <= TAGS.chars),
        `Enter tags of at most ${TAGS.chars} characters.`,
      ),
    ),
    userId: line(200),
    userEmail: line(320),
    userName: line(200),
    metadata: z.string().check(
      z.trim(),
      z.refine(
        (text) => text === '' || objectIn(text) !== undefined,
        'Enter a JSON object, such as {"team": "sales"}.',
      ),
    ),
  })
  .check(
    z.refine(({ userId, userEmail, userName }) => userId !== '' || (userEmail === '' && userName === ''), {
      error: 'Enter the ID of the end user.',
      path: ['userId'],
    }),
  );
export type ConnectionSettings = z.infer<typeof settingsSchema>;

type Shown = Pick<Connection, 'name' | 'tags' | 'end_user'>;

export function settingsOf(
  { name, tags, end_user }: Shown,
  metadata: Readonly<Record<string, unknown>>,
): ConnectionSettings {
  return {
    name: name ?? '',
    tags: tags.join(', '),
    userId: end_user?.id ?? '',
    userEmail: end_user?.email ?? '',
    userName: end_user?.name ?? '',
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2),
  };
}

/** The end user as entered. Null without an ID: then the connection has none. */
export function endUserOf({ userId, userEmail, userName }: ConnectionSettings): Connection['end_user'] {
  return userId === '' ? null : { id: userId, email: userEmail || null, name: userName || null };
}

/** The metadata as entered; the form rejects text that is no object. */
export function metadataOf({ metadata }: ConnectionSettings): Record<string, unknown> {
  return objectIn(metadata) ?? {};
}
