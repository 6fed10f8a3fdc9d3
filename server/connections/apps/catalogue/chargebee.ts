import { defineApp, secret, text } from '../definition.ts';

export const chargebee = defineApp({
  app: 'chargebee',
  name: 'Chargebee',
  description: 'Subscriptions and recurring invoices.',
  category: 'finance',
  base_url: 'https://{site}.chargebee.com',
  docs_url: 'https://apidocs.chargebee.com/docs/api',
  methods: [
    {
      method: 'BASIC',
      fields: [
        text('site', 'Site', 'The part before .chargebee.com.', '[a-z0-9][a-z0-9-]*'),
        secret('api_key', 'API key', 'Settings → Configure Chargebee → API keys.'),
      ],
      username: '{api_key}',
      password: '',
    },
  ],
  webhook: {
    signature: {
      kind: 'other',
      header: 'Authorization',
      how: 'HTTP Basic with the user name and the password entered for the webhook.',
    },
    docs_url: 'https://www.chargebee.com/docs/2.0/webhook_settings.html',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['chargebee/chargebee-node src/RequestWrapper.ts', 'chargebee/chargebee-node src/environment.ts'],
    others: [
      'amp-labs/connectors providers/chargebee.go',
      'hookdeck/webhook-skills skills/chargebee-webhooks/references/verification.md',
    ],
  },
});
