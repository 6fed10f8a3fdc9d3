/** Events of a custom app: how it signs requests to our webhook endpoints, and where a request has each value. */
import { z } from 'zod';
import { AppRegistration, sendsSecret } from './app-registration.ts';
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
    /** Unix time in seconds. Requests signed more than five minutes ago are rejected. */
    timestamp_header: Header.nullable().default(null),
    /** The signed text: contains `{body}`, and `{timestamp}` if there is a timestamp header. */
    signed: z
      .string()
      .regex(/^(?=.{1,100}$)(?:[\x20-\x7a|~]|\{body\}|\{timestamp\})*\{body\}(?:[\x20-\x7a|~]|\{timestamp\})*$/, {
        error: 'expected {body} once, and no other placeholder than {timestamp}',
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
  /** Example payload for test events. */
  sample: JsonObject,
  /** Names of the event type in the app's API, if they differ. */
  api_names: z
    .array(z.string().regex(/^[\x21-\x7e]{1,100}$/, 'expected at most 100 characters without spaces'))
    .min(1, 'expected at least one name')
    .max(50, 'expected at most 50 names')
    .optional(),
});

/** How the app verifies the webhook URL before it sends events. */
const Handshake = z.discriminatedUnion('kind', [
  /** The response to a body with `when.equals` at `when.path` is the text at `reply`. */
  z.strictObject({
    kind: z.literal('challenge'),
    when: z.strictObject({ path: Path, equals: z.string().min(1, 'expected some text').max(100) }),
    reply: Path,
  }),
  /** The response to a GET with this query parameter is its value. */
  z.strictObject({
    kind: z.literal('query'),
    name: z.string().regex(/^[\x21-\x7e]{1,100}$/, 'expected the name of a query parameter'),
  }),
]);

export const AppEvents = z
  .strictObject({
    signature: Signature,
    /** `ours`: generated here and entered in the app. `theirs`: shown by the app and entered in each trigger. */
    secret: z.enum(['ours', 'theirs']).default('ours'),
    /** Location of the event's name. */
    name: Place.nullable().default(null),
    /** Location of the app's id of the event. Events with the same id are stored once. */
    id: Place.nullable().default(null),
    handshake: Handshake.nullable().default(null),
    /** Registration of the webhook through the app's API; null if a user pastes the URL. */
    registration: AppRegistration.nullable().default(null),
    types: z.array(EventType).min(1, 'expected at least one event type').max(100, 'expected at most 100 event types'),
  })
  .superRefine(({ signature, secret, name, registration, types }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (signature.kind === 'hmac' && signature.signed.includes('{timestamp}') !== (signature.timestamp_header !== null))
      refuse(['signature', 'timestamp_header'], 'expected a header if {timestamp} is signed, and null otherwise');
    if (name === null && types.length > 1)
      refuse(['name'], 'expected the location of the event’s name, as there are several event types');
    if (registration && secret === 'ours' && !sendsSecret(registration))
      refuse(['registration', 'add', 'body'], 'expected {secret}, as the app signs with our secret');
    if (registration && secret === 'theirs' && sendsSecret(registration))
      refuse(['registration', 'add', 'body'], 'expected no {secret}, as the app signs with its own');
    if (registration?.secret && secret === 'ours')
      refuse(['registration', 'secret'], 'expected null, as the app signs with our secret');
    for (const [index, { event_type, api_names }] of types.entries()) {
      if (api_names && !registration) refuse(['types', index, 'api_names'], 'expected none without a registration');
      if (types.findIndex((each) => each.event_type === event_type) < index)
        refuse(['types', index, 'event_type'], 'expected each event type once');
    }
  });
