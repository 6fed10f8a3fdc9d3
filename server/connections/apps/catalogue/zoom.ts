import { defineApp, get, hmac, oauth2 } from '../definition.ts';
import { zoomEvents } from '../events/zoom.ts';
import { push } from '../source.ts';

export const zoom = defineApp({
  app: 'zoom',
  name: 'Zoom',
  description: 'Meetings, webinars, recordings and users.',
  category: 'communication',
  base_url: 'https://api.zoom.us',
  docs_url: 'https://developers.zoom.us/docs/api/',
  icon: 'siZoom',
  methods: [
    oauth2({
      authorize_url: 'https://zoom.us/oauth/authorize',
      token_url: 'https://zoom.us/oauth/token',
      client_auth: 'basic',
    }),
  ],
  probe: get('/v2/users/me'),
  // The first request contains a plainToken; the response must return it with its HMAC.
  webhook: hmac({
    header: 'x-zm-signature',
    prefix: 'v0=',
    timestamp_header: 'x-zm-request-timestamp',
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: 'v0:{timestamp}:{body}',
    docs_url: 'https://developers.zoom.us/docs/api/webhooks/',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event' }],
    // Zoom has no event IDs; the combination of event, subject and time in milliseconds identifies one.
    id: [
      { body: 'event' },
      { body: 'event_ts' },
      [
        { body: 'payload.object.participant.participant_uuid' },
        { body: 'payload.object.participant.user_id' },
        { body: 'payload.object.uuid' },
      ],
    ],
    match: { meeting: { at: { body: 'payload.object.id' } } },
    handshake: {
      kind: 'proof',
      when: { path: 'event', equals: 'endpoint.url_validation' },
      reply: 'payload.plainToken',
      names: ['plainToken', 'encryptedToken'],
    },
    steps: [
      'Open your app at marketplace.zoom.us, choose Access under Features, copy the Secret Token and enter it here.',
      'Turn on Event Subscription, add one with the events that you need, and enter {url} as Event notification endpoint URL.',
      'After you entered the Secret Token here, choose Validate, and save.',
    ],
    docs: {
      id: 'Zoom events have no ID. If neither the participant nor the meeting has one, each request is an event.',
      facts: ['https://developers.zoom.us/docs/api/webhooks/', 'zoom/webhook-sample index.js'],
    },
  }),
  event_types: zoomEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://developers.zoom.us/blog/pcke-oauth-with-postman-rest-api/',
      'zoom/webhook-sample index.js',
      'zoom/zoomapps-sample-js server/helpers/zoom-api.js',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
