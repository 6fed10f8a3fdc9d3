import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const box = defineApp({
  app: 'box',
  name: 'Box',
  description: 'Files, folders and their collaborators.',
  category: 'files',
  base_url: 'https://api.box.com',
  docs_url: 'https://developer.box.com/reference/',
  icon: 'siBox',
  methods: [
    bearerKey(secret('api_key', 'Developer token', 'Developer console → your app. It ends after an hour.')),
    oauth2({
      authorize_url: 'https://account.box.com/api/oauth2/authorize',
      token_url: 'https://api.box.com/oauth2/token',
      pkce: false,
    }),
  ],
  probe: get('/2.0/users/me'),
  // The time is written as in RFC 3339.
  webhook: hmac({
    header: 'BOX-SIGNATURE-PRIMARY',
    encoding: 'base64',
    timestamp_header: 'BOX-DELIVERY-TIMESTAMP',
    signed: '{body}{timestamp}',
    docs_url: 'https://developer.box.com/guides/webhooks/v2/signatures-v2/',
  }),
});
