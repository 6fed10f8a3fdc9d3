/**
 * Form values of a custom app's events. Field names match the API where possible, so that a rejection finds its field.
 * Payloads and bodies are JSON text.
 */
import { objectIn } from '../../../../contract/text/exact-json.ts';
import type { CallInput } from '../../../api/operation.ts';
import { wordsOf } from './pairs.ts';

type Body = NonNullable<CallInput<'appCreate'>['body']['events']>;
type Kind = Body['signature']['kind'];
type Registration = NonNullable<Body['registration']>;
type Hmac = Extract<Body['signature'], { kind: 'hmac' }>;

export type EventPlace = { in: 'none' | 'header' | 'body'; at: string };
export type EventTypeValues = { event_type: string; description: string; sample: string; api_names: string };
export type EventValues = {
  on: boolean;
  signature: {
    kind: Kind;
    header: string;
    algorithm: NonNullable<Hmac['algorithm']>;
    encoding: NonNullable<Hmac['encoding']>;
    prefix: string;
    timestamp_header: string;
    signed: string;
  };
  secret: 'ours' | 'theirs';
  name: EventPlace;
  id: EventPlace;
  handshake: {
    kind: 'none' | 'challenge' | 'query';
    when: { path: string; equals: string };
    reply: string;
    name: string;
  };
  types: EventTypeValues[];
  registers: boolean;
  registration: {
    add: { path: string; body: string; form: boolean };
    id: string;
    secret: string;
    list: { path: string; items: string; id: string; url: string };
    remove: { path: string };
  };
};

export const newEventType = (): EventTypeValues => ({ event_type: '', description: '', sample: '{}', api_names: '' });

export const newEvents = (): EventValues => ({
  on: false,
  signature: {
    kind: 'hmac',
    header: 'X-Signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestamp_header: '',
    signed: '{body}',
  },
  secret: 'ours',
  name: { in: 'none', at: '' },
  id: { in: 'none', at: '' },
  handshake: {
    kind: 'none',
    when: { path: 'type', equals: 'url_verification' },
    reply: 'challenge',
    name: 'challenge',
  },
  types: [newEventType()],
  registers: false,
  registration: {
    add: {
      path: '/webhooks',
      body: '{\n  "url": "{url}",\n  "secret": "{secret}",\n  "events": "{events}"\n}',
      form: false,
    },
    id: 'id',
    secret: '',
    list: { path: '/webhooks', items: '', id: 'id', url: 'url' },
    remove: { path: '/webhooks/{id}' },
  },
});

const orNull = (text: string): string | null => (text === '' ? null : text);

/** The `events` field of `POST /apps`; null if the app sends no events. */
export function eventsBodyOf(values: EventValues): Body | null {
  if (!values.on) return null;
  return {
    signature: signatureOf(values.signature),
    secret: values.secret,
    name: placeOf(values.name),
    id: placeOf(values.id),
    handshake: handshakeOf(values.handshake),
    registration: values.registers ? registrationOf(values) : null,
    types: values.types.map(({ event_type, description, sample, api_names }) => ({
      event_type,
      description,
      sample: objectIn(sample) ?? {},
      ...(values.registers && wordsOf(api_names).length > 0 ? { api_names: wordsOf(api_names) } : {}),
    })),
  };
}

function signatureOf({ kind, header, ...hmac }: EventValues['signature']): Body['signature'] {
  if (kind === 'standard') return { kind };
  return kind === 'token'
    ? { kind, header }
    : { kind, header, ...hmac, timestamp_header: orNull(hmac.timestamp_header) };
}

function placeOf(place: EventPlace): Body['name'] {
  if (place.in === 'none') return null;
  return place.in === 'header' ? { header: place.at } : { body: place.at };
}

function handshakeOf({ kind, when, reply, name }: EventValues['handshake']): Body['handshake'] {
  if (kind === 'none') return null;
  return kind === 'query' ? { kind, name } : { kind, when, reply };
}

function registrationOf({ secret, registration: { add, list, ...rest } }: EventValues): Registration {
  return {
    ...rest,
    add: { ...add, body: objectIn(add.body) ?? {} },
    secret: secret === 'theirs' ? orNull(rest.secret) : null,
    list: { ...list, items: orNull(list.items) },
  };
}

/** Form values of an app's events, or the defaults if it sends none. */
export function eventValuesOf(events: Body | null | undefined): EventValues {
  const blank = newEvents();
  if (!events) return blank;
  const { signature, handshake, registration } = events;
  const { kind, ...more } = signature;
  const known = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value ?? '']));
  return {
    on: true,
    signature: { ...blank.signature, ...known, kind },
    secret: events.secret ?? 'ours',
    name: placeValues(events.name),
    id: placeValues(events.id),
    handshake: handshake ? { ...blank.handshake, ...handshake } : blank.handshake,
    types: events.types.map(({ event_type, description = '', sample, api_names = [] }) => ({
      event_type,
      description,
      sample: JSON.stringify(sample, null, 2),
      api_names: api_names.join(' '),
    })),
    registers: Boolean(registration),
    registration: registration ? registrationValues(registration) : blank.registration,
  };
}

function registrationValues({ add, list, ...rest }: Registration): EventValues['registration'] {
  return {
    ...rest,
    add: { path: add.path, body: JSON.stringify(add.body, null, 2), form: add.form ?? false },
    secret: rest.secret ?? '',
    list: { ...list, items: list.items ?? '' },
  };
}

function placeValues(place: Body['name']): EventPlace {
  if (!place) return { in: 'none', at: '' };
  return 'header' in place ? { in: 'header', at: place.header } : { in: 'body', at: place.body };
}

/** The rejection with field paths of the form, where a place is one field. */
export const eventNamed = (message: string): string =>
  message.replace(/^(events\.(?:name|id))(?:\.(?:header|body))?:/, '$1.at:');
