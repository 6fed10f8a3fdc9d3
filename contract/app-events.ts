/** What an app of the account's own sends to addresses of ours: how it signs, and where in a request stands what. */
import { z } from 'zod';
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
});

export const AppEvents = z
  .strictObject({
    signature: Signature,
    /** Made here and entered in the app, or shown by the app and given to each trigger. */
    secret: z.enum(['ours', 'theirs']).default('ours'),
    /** Where the event's name stands. */
    name: Place.nullable().default(null),
    /** The app's own id of an event: one that comes again with it is stored once. */
    id: Place.nullable().default(null),
    types: z.array(EventType).min(1, 'expected at least one event type').max(100, 'expected at most 100 event types'),
  })
  .superRefine(({ signature, name, types }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (signature.kind === 'hmac' && signature.signed.includes('{timestamp}') !== (signature.timestamp_header !== null))
      refuse(['signature', 'timestamp_header'], 'expected one where {timestamp} is signed, and none where it isn’t');
    if (name === null && types.length > 1)
      refuse(['name'], 'expected the place of the event’s name, as there are several types');
    for (const [index, { event_type }] of types.entries())
      if (types.findIndex((each) => each.event_type === event_type) < index)
        refuse(['types', index, 'event_type'], 'expected another one, as it stands there twice');
  });
