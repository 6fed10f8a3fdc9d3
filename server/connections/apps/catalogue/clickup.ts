import { defineApp, get, headerKey, hmac, oauth2, secret } from '../definition.ts';

export const clickup = defineApp({
  app: 'clickup',
  name: 'ClickUp',
  description: 'Tasks, lists and spaces.',
  category: 'productivity',
  base_url: 'https://api.clickup.com',
  docs_url: 'https://developer.clickup.com/docs/authentication',
  icon: 'siClickup',
  methods: [
    // Personal tokens are sent without "Bearer", OAuth tokens with it.
    headerKey(
      secret('api_key', 'Personal API token', 'Settings → Apps. It starts with pk_.', 'pk_\\S+'),
      'Authorization',
    ),
    oauth2({
      authorize_url: 'https://app.clickup.com/api',
      token_url: 'https://api.clickup.com/api/v2/oauth/token',
      pkce: false,
    }),
  ],
  probe: get('/api/v2/user'),
  webhook: hmac({ header: 'X-Signature', docs_url: 'https://developer.clickup.com/docs/webhooksignature' }),
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://developer.clickup.com/docs/authentication.md',
      'https://developer.clickup.com/docs/webhooksignature',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'simstudioai/sim apps/sim/lib/webhooks/providers/clickup.ts',
    ],
  },
});
