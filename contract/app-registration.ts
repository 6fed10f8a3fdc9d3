/**
 * Registration and removal of a webhook through the API of a custom app. Placeholders: `{url}` is the webhook URL,
 * `{secret}` the signing secret, `{events}` the app's names of the trigger's event type, `{event}` the first of them,
 * `{id}` the webhook to remove.
 */
import { z } from 'zod';
import { JsonObject } from './fields.ts';
import { isNumber } from './text/exact-json.ts';

const KNOWN = ['url', 'secret', 'events', 'event'];
const BODY_MAX_CHARS = 8_192;
const BODY_MAX_DEPTH = 8;

/** Path and query of the app's API, relative to its base URL. */
const NativePath = z
  .string()
  .max(2048, 'expected at most 2048 characters')
  .regex(/^\/[\x21-\x7e]*$/, 'expected a path that starts with /, without spaces');
/** Property names and array indexes, separated by dots. */
const ResponsePath = z
  .string()
  .regex(/^[^\s.]{1,100}(?:\.[^\s.]{1,100}){0,9}$/, 'expected names with dots between them');

export const AppRegistration = z
  .strictObject({
    add: z.strictObject({
      path: NativePath,
      /** The string `{events}` becomes the array; a property named `{events}` is repeated once per name. */
      body: JsonObject.refine((body) => JSON.stringify(body).length <= BODY_MAX_CHARS, {
        error: `expected at most ${BODY_MAX_CHARS} characters`,
      }),
      /** Sent as a form instead of JSON. */
      form: z.boolean().default(false),
    }),
    /** Location of the webhook's id in the response. */
    id: ResponsePath,
    /** Location of the secret in the response; null if the app receives ours or signs with a constant secret. */
    secret: ResponsePath.nullable().default(null),
    /** Lists the app's webhooks, to find one of ours without a stored id. `items`: null if the response is the list. */
    list: z.strictObject({
      path: NativePath,
      items: ResponsePath.nullable().default(null),
      id: ResponsePath,
      url: ResponsePath,
    }),
    remove: z.strictObject({ path: NativePath }),
  })
  .superRefine(({ add, list, remove }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    const texts = textsIn(add.body, BODY_MAX_DEPTH);
    if (texts === undefined) refuse(['add', 'body'], `expected no null, and at most ${BODY_MAX_DEPTH} levels`);
    const unknownName = (text: string, known: string[]) => namesIn(text).find((name) => !known.includes(name));
    const check = (path: PropertyKey[], text: string, known: string[]) => {
      const name = unknownName(text, known);
      if (name !== undefined)
        refuse(path, `unknown placeholder {${name}}; expected one of ${known.map((each) => `{${each}}`).join(', ')}`);
    };
    check(['add', 'path'], add.path, KNOWN);
    for (const text of texts ?? []) check(['add', 'body'], text, KNOWN);
    check(['list', 'path'], list.path, ['events', 'event']);
    check(['remove', 'path'], remove.path, ['id', 'events', 'event']);
    if (texts && ![add.path, ...texts].some((text) => text.includes('{url}')))
      refuse(['add', 'body'], 'expected {url}, the placeholder of the webhook URL');
    if (!remove.path.includes('{id}')) refuse(['remove', 'path'], 'expected {id}, the placeholder of the webhook’s id');
  });
export type AppRegistration = z.output<typeof AppRegistration>;

/** Whether the registration sends our signing secret to the app. */
export const sendsSecret = ({ add }: AppRegistration): boolean =>
  [add.path, ...(textsIn(add.body, BODY_MAX_DEPTH) ?? [])].some((text) => text.includes('{secret}'));

const namesIn = (text: string): string[] => [...text.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);

/** Every string and property name of a body; undefined if the body has a value that can't be sent. */
function textsIn(value: unknown, levels: number): string[] | undefined {
  if (typeof value === 'string') return [value];
  if (isNumber(value) || typeof value === 'boolean') return [];
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  const texts = Array.isArray(value) ? [] : Object.keys(value);
  for (const each of Object.values(value)) {
    const inner = textsIn(each, levels - 1);
    if (inner === undefined) return undefined;
    texts.push(...inner);
  }
  return texts;
}
