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
  gateway: {
    hosts: {
      conversations: 'https://conversations.twilio.com',
      content: 'https://content.twilio.com',
      insights: 'https://insights.twilio.com',
      lookups: 'https://lookups.twilio.com',
      messaging: 'https://messaging.twilio.com',
      monitor: 'https://monitor.twilio.com',
      numbers: 'https://numbers.twilio.com',
      pricing: 'https://pricing.twilio.com',
      proxy: 'https://proxy.twilio.com',
      serverless: 'https://serverless.twilio.com',
      studio: 'https://studio.twilio.com',
      sync: 'https://sync.twilio.com',
      taskrouter: 'https://taskrouter.twilio.com',
      trunking: 'https://trunking.twilio.com',
      trusthub: 'https://trusthub.twilio.com',
      verify: 'https://verify.twilio.com',
      video: 'https://video.twilio.com',
      voice: 'https://voice.twilio.com',
      wireless: 'https://wireless.twilio.com',
    },
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'twilio/twilio-node src/rest/ApiBase.ts',
      'twilio/twilio-node src/webhooks/webhooks.ts',
      'twilio/twilio-node src/rest/VerifyBase.ts',
    ],
    others: ['streaak/keyhacks README.md', 'simstudioai/sim apps/sim/lib/webhooks/providers/twilio-signature.ts'],
  },
});
