import { defineApp, get, headerKey, oauth2, secret } from '../definition.ts';

export const klaviyo = defineApp({
  app: 'klaviyo',
  name: 'Klaviyo',
  description: 'Profiles, lists, flows and campaigns.',
  category: 'marketing',
  base_url: 'https://a.klaviyo.com',
  docs_url: 'https://developers.klaviyo.com/en/reference/api_overview',
  // Klaviyo rejects requests without a revision. Callers can send another one.
  default_headers: { revision: '2026-07-15' },
  methods: [
    headerKey(
      secret('api_key', 'Private API key', 'Settings → API keys. It starts with pk_.'),
      'Authorization',
      'Klaviyo-API-Key {api_key}',
    ),
    oauth2({
      authorize_url: 'https://www.klaviyo.com/oauth/authorize',
      token_url: 'https://a.klaviyo.com/oauth/token',
      client_auth: 'basic',
      scopes: ['accounts:read', 'lists:read', 'profiles:read'],
    }),
  ],
  probe: get('/api/accounts'),
  evidence: {
    verified: '2026-11',
    vendor: ['klaviyo/openapi openapi/stable.json'],
    others: ['trufflesecurity/trufflehog pkg/detectors/klaviyo/klaviyo.go', 'amp-labs/connectors providers/klaviyo.go'],
  },
});
