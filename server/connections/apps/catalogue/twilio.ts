import { basic, defineApp, get, secret, text } from '../definition.ts';

export const twilio = defineApp({
  app: 'twilio',
  name: 'Twilio',
  description: 'Text messages, calls and phone numbers.',
  category: 'communication',
  base_url: 'https://api.twilio.com',
  docs_url: 'https://www.twilio.com/docs/usage/api',
  methods: [
    basic(
      text('account_sid', 'Account SID', 'Console home page. It starts with AC.'),
      secret('auth_token', 'Auth token', 'Next to the account SID.'),
    ),
  ],
  probe: get('/2010-04-01/Accounts.json'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'X-Twilio-Signature',
      how: 'HMAC-SHA1 in base64 over the URL and, for a form, all names and values sorted by name, keyed with the auth token.',
    },
    docs_url: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['twilio/twilio-node src/rest/ApiBase.ts', 'twilio/twilio-node src/webhooks/webhooks.ts'],
    others: ['streaak/keyhacks README.md', 'simstudioai/sim apps/sim/lib/webhooks/providers/twilio-signature.ts'],
  },
});
