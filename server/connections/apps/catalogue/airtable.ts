import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const airtable = defineApp({
  app: 'airtable',
  name: 'Airtable',
  description: 'Tables, bases and their records.',
  category: 'productivity',
  base_url: 'https://api.airtable.com',
  docs_url: 'https://airtable.com/developers/web/api/introduction',
  icon: 'siAirtable',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Create one at airtable.com/create/tokens.')),
    oauth2({
      authorize_url: 'https://airtable.com/oauth2/v1/authorize',
      token_url: 'https://airtable.com/oauth2/v1/token',
      client_auth: 'basic',
      scopes: ['data.records:read', 'data.records:write', 'schema.bases:read'],
    }),
  ],
  probe: get('/v0/meta/whoami'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'X-Airtable-Content-MAC',
      how: 'hmac-sha256= and the HMAC-SHA256 of the body in hex, keyed with the decoded macSecretBase64 of the webhook.',
    },
    docs_url: 'https://airtable.com/developers/web/api/webhooks-overview',
  },
  gateway: { hosts: { content: 'https://content.airtable.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://airtable.com/developers/web/api/oauth-reference',
      'Airtable/oauth-example index.js',
      'https://airtable.com/developers/web/api/upload-attachment',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'gtalarico/pyairtable pyairtable/models/webhook.py',
    ],
  },
});
