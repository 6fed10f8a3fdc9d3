import { bearerKey, defineApp, hmac, oauth1, oauth2, secret } from '../definition.ts';

export const x = defineApp({
  app: 'x',
  name: 'X',
  description: 'Posts, timelines and messages.',
  category: 'media',
  base_url: 'https://api.x.com',
  docs_url: 'https://docs.x.com/x-api/introduction',
  icon: 'siX',
  // No probe: app tokens and user tokens share no identity endpoint, and every call is billed.
  methods: [
    bearerKey(secret('api_key', 'Bearer token', 'Developer console → your app → Keys and tokens.')),
    oauth1({
      request_url: 'https://api.x.com/oauth/request_token',
      authorize_url: 'https://api.x.com/oauth/authorize',
      access_url: 'https://api.x.com/oauth/access_token',
    }),
    oauth2({
      authorize_url: 'https://x.com/i/oauth2/authorize',
      token_url: 'https://api.x.com/2/oauth2/token',
      client_auth: 'basic',
      scopes: ['tweet.read', 'users.read', 'offline.access'],
    }),
  ],
  // Keyed with the consumer secret. X first verifies the URL with GET and a crc_token.
  webhook: hmac({
    header: 'x-twitter-webhooks-signature',
    encoding: 'base64',
    prefix: 'sha256=',
    docs_url: 'https://docs.x.com/x-api/webhooks/introduction',
  }),
  evidence: {
    verified: '2026-11',
    vendor: [
      'xdevplatform/docs fundamentals/authentication/oauth-2-0/user-access-token.mdx',
      'xdevplatform/docs x-api/webhooks/quickstart.mdx',
    ],
    others: [
      'pennersr/django-allauth allauth/socialaccount/providers/twitter_oauth2/views.py',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'PLhery/node-twitter-api-v2 src/globals.ts',
    ],
  },
});
