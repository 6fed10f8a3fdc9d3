import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

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
});
