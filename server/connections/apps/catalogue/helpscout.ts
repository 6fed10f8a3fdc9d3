import { clientCredentials, defineApp, get, hmac } from '../definition.ts';

export const helpscout = defineApp({
  app: 'helpscout',
  name: 'Help Scout',
  description: 'Conversations and customers of a shared inbox.',
  category: 'support',
  base_url: 'https://api.helpscout.net',
  docs_url: 'https://developer.helpscout.com/mailbox-api/',
  icon: 'siHelpscout',
  methods: [clientCredentials({ token_url: 'https://api.helpscout.net/v2/oauth2/token' })],
  probe: get('/v2/users/me'),
  webhook: hmac({
    header: 'X-HelpScout-Signature',
    algorithm: 'sha1',
    encoding: 'base64',
    docs_url: 'https://developer.helpscout.com/webhooks/',
  }),
});
