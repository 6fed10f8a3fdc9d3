import { defineApp, get, headerKey, secret } from '../definition.ts';

export const brevo = defineApp({
  app: 'brevo',
  name: 'Brevo',
  description: 'Email and text message campaigns, contacts and deals.',
  category: 'marketing',
  base_url: 'https://api.brevo.com',
  docs_url: 'https://developers.brevo.com/reference',
  icon: 'siBrevo',
  methods: [headerKey(secret('api_key', 'API key', 'Settings → SMTP & API → API keys.'), 'api-key')],
  probe: get('/v3/account'),
  evidence: {
    verified: '2026-11',
    vendor: ['getbrevo/brevo-node README.md'],
    others: ['amp-labs/connectors providers/brevo.go'],
  },
});
