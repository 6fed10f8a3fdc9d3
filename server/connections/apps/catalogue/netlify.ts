import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const netlify = defineApp({
  app: 'netlify',
  name: 'Netlify',
  description: 'Sites, deploys and forms.',
  category: 'developer',
  base_url: 'https://api.netlify.com',
  docs_url: 'https://open-api.netlify.com',
  icon: 'siNetlify',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'User settings → Applications.')),
    oauth2({
      authorize_url: 'https://app.netlify.com/authorize',
      token_url: 'https://api.netlify.com/oauth/token',
      pkce: false,
    }),
  ],
  probe: get('/api/v1/user'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'X-Webhook-Signature',
      how: 'A JSON Web Token (HS256) with the issuer netlify and the SHA-256 of the body in hex as the claim sha256.',
    },
    docs_url: 'https://docs.netlify.com/site-deploys/notifications/#payload-signature',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['netlify/open-api swagger.yml', 'netlify/js-client src/index.js'],
    others: [
      'SocialiteProviders/Providers src/Netlify/Provider.php',
      'nextauthjs/next-auth packages/core/src/providers/netlify.ts',
      'https://github.com/simstudioai/sim/pull/4518',
    ],
  },
});
