import { defineApp, get, oauth2, secret } from '../definition.ts';

export const close = defineApp({
  app: 'close',
  name: 'Close',
  description: 'Leads, calls and email of a sales team.',
  category: 'crm',
  base_url: 'https://api.close.com',
  docs_url: 'https://developer.close.com/',
  methods: [
    {
      method: 'BASIC',
      fields: [secret('api_key', 'API key', 'Settings → Developer → API keys.')],
      username: '{api_key}',
      password: '',
    },
    oauth2({
      authorize_url: 'https://app.close.com/oauth2/authorize/',
      token_url: 'https://api.close.com/oauth2/token/',
      pkce: false,
      scopes: ['all.full_access', 'offline_access'],
    }),
  ],
  probe: get('/api/v1/me/'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'close-sig-hash',
      how: 'HMAC-SHA256 in hex over close-sig-timestamp and the body, keyed with the hex-decoded signature_key of the subscription.',
    },
    docs_url: 'https://developer.close.com/api/resources/webhooks',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['closeio/closeio-api closeio_api/__init__.py', 'https://developer.close.com/api/resources/webhooks.md'],
    others: [
      'calcom/cal.com packages/app-store/closecom/api/callback.ts',
      'activepieces/activepieces packages/pieces/community/close/src/lib/triggers/new-lead-added.ts',
      'trufflesecurity/trufflehog pkg/detectors/closecrm/close.go',
    ],
  },
});
