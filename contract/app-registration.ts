/**
 * How a webhook is registered and removed through the API of a custom app. Texts name values as
 * `{name}`: `url` is the address, `secret` what requests to it are to be signed with, `events` the list of what the app
 * calls the trigger's event type, `event` the first of it, `id` the hook that is removed.
 */
import { z } from 'zod';
import { JsonObject } from './fields.ts';
import { isNumber } from './text/exact-json.ts';

const KNOWN = ['url', 'secret', 'events', 'event'];
const BODY_MAX_CHARS = 8_192;
const BODY_MAX_DEPTH = 8;

/** Native, below the app's base address, with its query. */
const NativePath = z
  .string()
  .max(2048, 'expected at most 2048 characters')
  .regex(/^\/[\x21-\x7e]*$/, 'expected a path that starts with /, without spaces');
/** Names, or numbers for places in a list, with dots between them. */
const AnswerPath = z.string().regex(/^[^\s.]{1,100}(?:\.[^\s.]{1,100}){0,9}$/, 'expected names with dots between them');

export const AppRegistration = z
  .strictObject({
    add: z.strictObject({
      path: NativePath,
      /** A text that is nothing but `{events}` becomes the list, a member called `{events}` one for each of them. */
      body: JsonObject.refine((body) => JSON.stringify(body).length <= BODY_MAX_CHARS, {
        error: `expected at most ${BODY_MAX_CHARS} characters`,
      }),
      /** Sent as a form instead of JSON. */
      form: z.boolean().default(false),
    }),
    /** Where the answer says the id of the hook. */
    id: AnswerPath,
    /** Where the answer has the secret; null where the app receives ours, or signs with a constant secret. */
    secret: AnswerPath.nullable().default(null),
    /** Lists the app's hooks, to find one of ours whose id is lost. `items`: null where the answer is the list. */
    list: z.strictObject({
      path: NativePath,
      items: AnswerPath.nullable().default(null),
      id: AnswerPath,
      url: AnswerPath,
    }),
    remove: z.strictObject({ path: NativePath }),
  })
  .superRefine(({ add, list, remove }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    const texts = textsIn(add.body, BODY_MAX_DEPTH);
    if (texts === undefined) refuse(['add', 'body'], `expected no null, and at most ${BODY_MAX_DEPTH} levels`);
    const strange = (text: string, known: string[]) => namesIn(text).find((name) => !known.includes(name));
    const check = (path: PropertyKey[], text: string, known: string[]) => {
      const name = strange(text, known);
      if (name !== undefined)
        refuse(path, `{${name}} stands for nothing; expected one of ${known.map((each) => `{${each}}`).join(', ')}`);
    };
    check(['add', 'path'], add.path, KNOWN);
    for (const text of texts ?? []) check(['add', 'body'], text, KNOWN);
    check(['list', 'path'], list.path, ['events', 'event']);
    check(['remove', 'path'], remove.path, ['id', 'events', 'event']);
    if (texts && ![add.path, ...texts].some((text) => text.includes('{url}')))
      refuse(['add', 'body'], 'expected {url} in it, where the address goes');
    if (!remove.path.includes('{id}')) refuse(['remove', 'path'], 'expected {id} in it, where the hook’s id goes');
  });
export type AppRegistration = z.output<typeof AppRegistration>;

/** Whether the app is given the secret that its requests are to be signed with. */
export const givesSecret = ({ add }: AppRegistration): boolean =>
  [add.path, ...(textsIn(add.body, BODY_MAX_DEPTH) ?? [])].some((text) => text.includes('{secret}'));

const namesIn = (text: string): string[] => [...text.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);

/** Every text of a body and every name of a member; undefined where something can't be sent. */
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
