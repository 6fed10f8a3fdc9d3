/** Checks of an app's events before they are sent. */
import * as z from 'zod/mini';
import { objectIn } from '../../../../contract/text/exact-json.ts';
import type { EventPlace, EventValues } from './event-values.ts';

type Problem = readonly [path: string, message: string];

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const PATH = /^[^\s.]{1,100}(?:\.[^\s.]{1,100}){0,9}$/;
const TYPE = /^(?:\*|[A-Za-z0-9_-]{1,60}(?:\.[A-Za-z0-9_-]{1,60}){0,5})$/;
const NATIVE = /^\/[\x21-\x7e]*$/;

const NOT_HEADER = 'Enter a header name.';
const NOT_PATH = 'Enter a path such as data.id.';
const NOT_NATIVE = 'Enter a path that starts with /, without spaces.';
const NOT_OBJECT = 'Enter a JSON object.';

const unless = (fits: boolean, path: string, message: string): Problem[] => (fits ? [] : [[path, message]]);

/** The first problem of each field; unused fields are not checked. */
export function eventProblems(values: EventValues): Problem[] {
  if (!values.on) return [];
  const { signature, name, id, handshake, types } = values;
  return [
    ...signatureProblems(signature),
    ...placeProblems('events.name', name),
    ...unless(
      name.in !== 'none' || types.length < 2,
      'events.name.at',
      'Choose a location, because there are several event types.',
    ),
    ...placeProblems('events.id', id),
    ...(handshake.kind === 'query'
      ? unless(/^[\x21-\x7e]{1,100}$/.test(handshake.name), 'events.handshake.name', 'Enter a parameter name.')
      : []),
    ...(handshake.kind === 'challenge'
      ? [
          ...unless(PATH.test(handshake.when.path), 'events.handshake.when.path', NOT_PATH),
          ...unless(handshake.when.equals !== '', 'events.handshake.when.equals', 'Enter a value.'),
          ...unless(PATH.test(handshake.reply), 'events.handshake.reply', NOT_PATH),
        ]
      : []),
    ...unless(types.length > 0, 'events.types', 'Add at least one event type.'),
    ...types.flatMap(({ event_type, sample }, index) => [
      ...unless(TYPE.test(event_type), `events.types.${index}.event_type`, 'Enter a name such as order.paid, or *.'),
      ...unless(objectIn(sample) !== undefined, `events.types.${index}.sample`, NOT_OBJECT),
    ]),
    ...(values.registers ? registrationProblems(values) : []),
  ];
}

function signatureProblems({ kind, header, timestamp_header, signed }: EventValues['signature']): Problem[] {
  if (kind === 'standard') return [];
  const named = unless(HEADER.test(header), 'events.signature.header', NOT_HEADER);
  if (kind === 'token') return named;
  return [
    ...named,
    ...unless(
      timestamp_header === '' || HEADER.test(timestamp_header),
      'events.signature.timestamp_header',
      NOT_HEADER,
    ),
    ...unless(signed.includes('{body}'), 'events.signature.signed', 'Include {body}.'),
  ];
}

function placeProblems(path: string, { in: where, at }: EventPlace): Problem[] {
  if (where === 'header') return unless(HEADER.test(at), `${path}.at`, NOT_HEADER);
  return where === 'body' ? unless(PATH.test(at), `${path}.at`, NOT_PATH) : [];
}

function registrationProblems({ secret, registration }: EventValues): Problem[] {
  const { add, id, list, remove } = registration;
  const at = 'events.registration';
  const gives = `${add.path}${add.body}`;
  return [
    ...unless(NATIVE.test(add.path), `${at}.add.path`, NOT_NATIVE),
    ...unless(objectIn(add.body) !== undefined, `${at}.add.body`, NOT_OBJECT),
    ...unless(gives.includes('{url}'), `${at}.add.body`, 'Include {url} at the place of the webhook URL.'),
    ...unless(
      secret === 'theirs' || gives.includes('{secret}'),
      `${at}.add.body`,
      'Include {secret}: the app signs with this secret.',
    ),
    ...unless(PATH.test(id), `${at}.id`, NOT_PATH),
    ...unless(
      secret === 'ours' || registration.secret === '' || PATH.test(registration.secret),
      `${at}.secret`,
      NOT_PATH,
    ),
    ...unless(NATIVE.test(list.path), `${at}.list.path`, NOT_NATIVE),
    ...unless(list.items === '' || PATH.test(list.items), `${at}.list.items`, NOT_PATH),
    ...unless(PATH.test(list.id), `${at}.list.id`, NOT_PATH),
    ...unless(PATH.test(list.url), `${at}.list.url`, NOT_PATH),
    ...unless(
      NATIVE.test(remove.path) && remove.path.includes('{id}'),
      `${at}.remove.path`,
      'Enter a path that includes {id}.',
    ),
  ];
}

const text = z.string().check(z.trim());
const place = z.object({ in: z.enum(['none', 'header', 'body']), at: text });

export const eventsSchema = z.object({
  on: z.boolean(),
  signature: z.object({
    kind: z.enum(['hmac', 'standard', 'token']),
    header: text,
    algorithm: z.enum(['sha1', 'sha256', 'sha512']),
    encoding: z.enum(['hex', 'base64']),
    prefix: text,
    timestamp_header: text,
    signed: text,
  }),
  secret: z.enum(['ours', 'theirs']),
  name: place,
  id: place,
  handshake: z.object({
    kind: z.enum(['none', 'challenge', 'query']),
    when: z.object({ path: text, equals: text }),
    reply: text,
    name: text,
  }),
  types: z.array(z.object({ event_type: text, description: text, sample: z.string(), api_names: z.string() })),
  registers: z.boolean(),
  registration: z.object({
    add: z.object({ path: text, body: z.string(), form: z.boolean() }),
    id: text,
    secret: text,
    list: z.object({ path: text, items: text, id: text, url: text }),
    remove: z.object({ path: text }),
  }),
});
