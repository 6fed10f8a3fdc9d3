import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const typeform = defineApp({
  app: 'typeform',
  name: 'Typeform',
  description: 'Forms and what people answered.',
  category: 'marketing',
  base_url: 'https://api.typeform.com',
  docs_url: 'https://www.typeform.com/developers/',
  icon: 'siTypeform',
  methods: [
    bearerKey(secret('api_key', 'Personal token', 'Account → Personal tokens.')),
    oauth2({
      authorize_url: 'https://api.typeform.com/oauth/authorize',
      token_url: 'https://api.typeform.com/oauth/token',
      pkce: false,
      scopes: ['accounts:read', 'forms:read', 'responses:read', 'offline'],
    }),
  ],
  probe: get('/me'),
  webhook: hmac({
    header: 'Typeform-Signature',
    encoding: 'base64',
    prefix: 'sha256=',
    docs_url: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  }),
});
