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
  evidence: {
    verified: '2026-11',
    vendor: [
      'helpscout/helpscout-api-php src/Http/Authenticator.php',
      'helpscout/helpscout-api-php src/Webhooks/IncomingWebhook.php',
    ],
    others: [
      'amp-labs/connectors providers/helpScoutMailbox.go',
      'Som-Energia/helpscout_webhooks webhooks/energetica/labeler.py',
    ],
  },
});
