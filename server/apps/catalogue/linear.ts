import { defineApp, headerKey, hmac, oauth2, query, secret } from '../definition.ts';

export const linear = defineApp({
  app: 'linear',
  name: 'Linear',
  description: 'Issues, projects and cycles.',
  category: 'developer',
  base_url: 'https://api.linear.app',
  docs_url: 'https://linear.app/developers',
  icon: 'siLinear',
  methods: [
    // A personal key goes without "Bearer"; only OAuth tokens have it.
    headerKey(secret('api_key', 'Personal API key', 'Settings → Security & access.'), 'Authorization'),
    oauth2({
      authorize_url: 'https://linear.app/oauth/authorize',
      token_url: 'https://api.linear.app/oauth/token',
      scopes: ['read', 'write'],
      scope_separator: ',',
    }),
  ],
  probe: query('/graphql', '{ viewer { id } }'),
  webhook: hmac({ header: 'Linear-Signature', docs_url: 'https://linear.app/developers/webhooks' }),
});
