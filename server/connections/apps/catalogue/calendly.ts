import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { calendlyEvents } from '../events/calendly.ts';
import { calendlyHooks } from '../hooks/calendly.ts';
import { push } from '../source.ts';

export const calendly = defineApp({
  app: 'calendly',
  name: 'Calendly',
  description: 'Event types, bookings and invitees.',
  category: 'productivity',
  base_url: 'https://api.calendly.com',
  docs_url: 'https://developer.calendly.com/api-docs',
  icon: 'siCalendly',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Integrations → API & Webhooks.')),
    oauth2({
      authorize_url: 'https://auth.calendly.com/oauth/authorize',
      token_url: 'https://auth.calendly.com/oauth/token',
    }),
  ],
  probe: get('/users/me'),
  webhook: hmac({
    header: 'Calendly-Webhook-Signature',
    pairs: { timestamp: 't', signature: 'v1' },
    timestamp_unit: 's',
    tolerance_seconds: 180,
    signed: '{timestamp}.{body}',
    docs_url: 'https://developer.calendly.com/api-docs/webhook-signatures',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'event' }],
    // Calendly has no event IDs; the combination of event, invitee and time identifies one.
    id: [{ body: 'event' }, { body: 'created_at' }, { body: 'payload.uri' }],
    match: {
      event_type_uri: { at: { body: 'payload.scheduled_event.event_type' } },
      routing_form: { at: { body: 'payload.routing_form' } },
    },
    steps: [
      'Calendly webhook subscriptions can be created only with its API, on a paid plan.',
      'Send POST https://api.calendly.com/webhook_subscriptions with url {url}, signing_key {secret}, events, organization, user and scope.',
      'You can also send it through the gateway: POST /calendly/webhook_subscriptions with a connection.',
    ],
    docs: {
      id: 'Calendly events have no ID.',
      facts: [
        'https://developer.calendly.com/api-docs/webhook-signatures',
        'calendly/buzzwordcrm services/calendlyService.js',
      ],
    },
  }),
  hooks: calendlyHooks,
  event_types: calendlyEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://developer.calendly.com/creating-an-oauth-app',
      'calendly/buzzwordcrm services/calendlyService.js',
    ],
    others: [
      'SocialiteProviders/Providers src/Calendly/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
