/** What a custom app sends to our webhook endpoints: how it signs, and where in a request each value is. */
import { z } from 'zod';
import { AppRegistration, givesSecret } from './app-registration.ts';
import { JsonObject } from './fields.ts';

const Header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'expected a header name');
const Path = z.string().regex(/^[^\s.]{1,100}(?:\.[^\s.]{1,100}){0,9}$/, 'expected names with dots between them');
/** A header, or a dotted path in the JSON of the body. */
const Place = z.union([z.strictObject({ header: Header }), z.strictObject({ body: Path })], {
  error: 'expected {"header": …} or {"body": …}',
});

const Signature = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('hmac'),
    header: Header,
    algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    prefix: z
      .string()
      .regex(/^[\x21-\x7e]{0,32}$/, 'expected at most 32 printable characters')
      .default(''),
    /** In seconds since 1970; what was signed more than five minutes ago is refused. */
    timestamp_header: Header.nullable().default(null),
    /** What is signed, with `{body}` and, where there is a header for it, `{timestamp}` in it. */
    signed: z
      .string()
      .regex(/^(?=.{1,100}$)(?:[\x20-\x7a|~]|\{body\}|\{timestamp\})*\{body\}(?:[\x20-\x7a|~]|\{timestamp\})*$/, {
        error: 'expected {body} in it once, and no other braces but {timestamp}',
      })
      .default('{body}'),
  }),
  z.strictObject({ kind: z.literal('standard') }),
  z.strictObject({ kind: z.literal('token'), header: Header }),
]);

const EventType = z.strictObject({
  event_type: z
    .string()
    .regex(/^(?:\*|[A-Za-z0-9_-]{1,60}(?:\.[A-Za-z0-9_-]{1,60}){0,5})$/, 'expected names with dots'),
  description: z.string().max(500).default(''),
  /** A payload as it is sent, for tests. */
  sample: JsonObject,
  /** What the app's API calls it, where that is something else. */
  api_names: z
    .array(z.string().regex(/^[\x21-\x7e]{1,100}$/, 'expected at most 100 characters without spaces'))
    .min(1, 'expected at least one name')
    .max(50, 'expected at most 50 names')
    .optional(),
});

/** How the app makes sure that the address is ours, before it sends anything. */
const Handshake = z.discriminatedUnion('kind', [
  /** A body in which `when.path` is `when.equals` is answered with the text at `reply`. */
  z.strictObject({
    kind: z.literal('challenge'),
    when: z.strictObject({ path: Path, equals: z.string().min(1, 'expected some text').max(100) }),
    reply: Path,
  }),
  /** A GET with this query parameter is answered with its text. */
  z.strictObject({
    kind: z.literal('query'),
    name: z.string().regex(/^[\x21-\x7e]{1,100}$/, 'expected the name of a query parameter'),
  }),
]);

export const AppEvents = z
  .strictObject({
    signature: Signature,
    /** Made here and entered in the app, or shown by the app and given to each trigger. */
    secret: z.enum(['ours', 'theirs']).default('ours'),
    /** Where the event's name is. */
    name: Place.nullable().default(null),
    /** The app's own id of an event: one that comes again with it is stored once. */
    id: Place.nullable().default(null),
    handshake: Handshake.nullable().default(null),
    /** How a webhook is registered through its API; null where a person pastes it. */
    registration: AppRegistration.nullable().default(null),
    types: z.array(EventType).min(1, 'expected at least one event type').max(100, 'expected at most 100 event types'),
  })
  .superRefine(({ signature, secret, name, registration, types }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (signature.kind === 'hmac' && signature.signed.includes('{timestamp}') !== (signature.timestamp_header !== null))
      refuse(['signature', 'timestamp_header'], 'expected one where {timestamp} is signed, and none where it isn’t');
    if (name === null && types.length > 1)
      refuse(['name'], 'expected the place of the event’s name, as there are several types');
    if (registration && secret === 'ours' && !givesSecret(registration))
      refuse(['registration', 'add', 'body'], 'expected {secret} in it, as the app signs with ours');
    if (registration && secret === 'theirs' && givesSecret(registration))
      refuse(['registration', 'add', 'body'], 'expected no {secret} in it, as the app signs with its own');
    if (registration?.secret && secret === 'ours')
      refuse(['registration', 'secret'], 'expected none, as the app signs with ours');
    for (const [index, { event_type, api_names }] of types.entries()) {
      if (api_names && !registration)
        refuse(['types', index, 'api_names'], 'expected none where there is no registration');
      if (types.findIndex((each) => each.event_type === event_type) < index)
        refuse(['types', index, 'event_type'], 'expected another one, as it is listed twice');
    }
  });
