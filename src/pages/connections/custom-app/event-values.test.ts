import { expect, it } from 'vitest';
import { AppCreate } from '../../../../contract/apps.ts';
import { appSchema, problemsOf } from './check.ts';
import { type EventValues, eventsBodyOf, eventValuesOf, newEvents } from './event-values.ts';
import { type AppValues, bodyOf, formNamed, newApp, valuesOf } from './values.ts';

const app = (events: EventValues): AppValues => ({
  ...newApp('Acme'),
  app: 'acme',
  base_url: 'https://a.example.com',
  events,
});
const whole: EventValues = {
  ...newEvents(),
  on: true,
  signature: {
    kind: 'hmac',
    header: 'X-Sign',
    algorithm: 'sha512',
    encoding: 'base64',
    prefix: 'v1=',
    timestamp_header: 'X-Time',
    signed: '{timestamp}.{body}',
  },
  name: { in: 'header', at: 'X-Event' },
  id: { in: 'body', at: 'meta.id' },
  handshake: { kind: 'challenge', when: { path: 'type', equals: 'verify' }, reply: 'data.text', name: 'challenge' },
  types: [
    {
      event_type: 'order.paid',
      description: 'Paid.',
      sample: '{\n  "id": 12345678901234567890\n}',
      api_names: 'PAID SETTLED',
    },
    { event_type: '*', description: '', sample: '{}', api_names: '' },
  ],
  registers: true,
};
const theirs: EventValues = {
  ...whole,
  signature: { ...newEvents().signature, kind: 'token', header: 'X-Token' },
  secret: 'theirs',
  handshake: { ...newEvents().handshake, kind: 'query', name: 'hub.challenge' },
  registration: {
    ...newEvents().registration,
    add: { path: '/hooks', body: '{\n  "to": "{url}"\n}', form: true },
    secret: 'signing.secret',
    list: { path: '/hooks', items: 'data', id: 'id', url: 'to' },
  },
};

it.each([
  ['with all there is', whole],
  ['with its own secret', theirs],
])('events of an app, %s, are read back unchanged, and the API accepts them', (_, events) => {
  const body = AppCreate.parse(bodyOf(app(events)));
  const read = valuesOf(body).events;
  expect(eventsBodyOf(read)).toEqual(body.events);
  expect(eventsBodyOf(read)).toEqual(eventsBodyOf(events));
  expect(read.types).toEqual(events.types);
  expect(problemsOf(app(events))).toEqual([]);
  expect(appSchema.safeParse(app(read)).success).toBe(true);
});

it('an app without events has null, and the form keeps its input', () => {
  expect(bodyOf(app({ ...whole, on: false })).events).toBeNull();
  expect(eventValuesOf(null)).toEqual(newEvents());
  expect(problemsOf(app({ ...newEvents(), types: [] }))).toEqual([]);
});

it('reports problems by field, only for used fields', () => {
  const wrong: EventValues = {
    ...whole,
    signature: { ...whole.signature, header: 'X Y', signed: 'x' },
    name: { in: 'none', at: '' },
    id: { in: 'body', at: 'a..b' },
    handshake: { ...whole.handshake, reply: '' },
    types: [
      { event_type: 'a b', description: '', sample: '[1]', api_names: '' },
      { event_type: 'c', description: '', sample: '{', api_names: '' },
    ],
    registration: { ...whole.registration, add: { path: 'x', body: '{}', form: false }, remove: { path: '/hooks' } },
  };
  expect(problemsOf(app(wrong)).map(([path]) => path)).toEqual([
    'events.signature.header',
    'events.signature.signed',
    'events.name.at',
    'events.id.at',
    'events.handshake.reply',
    'events.types.0.event_type',
    'events.types.0.sample',
    'events.types.1.sample',
    'events.registration.add.path',
    'events.registration.add.body',
    'events.registration.add.body',
    'events.registration.remove.path',
  ]);
  expect(problemsOf(app({ ...wrong, registers: false })).map(([path]) => path)).not.toContain(
    'events.registration.add.path',
  );
});

it('a rejection of the API finds its field', () => {
  expect(formNamed('events.id.body: expected names', [])).toBe('events.id.at: expected names');
  expect(formNamed('events.name: expected the place', [])).toBe('events.name.at: expected the place');
  expect(formNamed('events.types.0.sample: expected', [])).toBe('events.types.0.sample: expected');
});
