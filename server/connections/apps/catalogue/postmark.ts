import { defineApp, get, headerKey, secret } from '../definition.ts';

export const postmark = defineApp({
  app: 'postmark',
  name: 'Postmark',
  description: 'Transactional e-mail and its delivery.',
  category: 'marketing',
  base_url: 'https://api.postmarkapp.com',
  docs_url: 'https://postmarkapp.com/developer',
  methods: [headerKey(secret('api_key', 'Server API token', 'Your server → API tokens.'), 'X-Postmark-Server-Token')],
  probe: get('/server'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'Authorization',
      how: 'Nothing is signed; the webhook’s address may have a user name and a password in it, which arrive as HTTP Basic.',
    },
    docs_url: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  },
});
