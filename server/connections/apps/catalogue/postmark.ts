import { defineApp, get, headerKey, secret } from '../definition.ts';

export const postmark = defineApp({
  app: 'postmark',
  name: 'Postmark',
  description: 'Transactional email and its delivery.',
  category: 'marketing',
  base_url: 'https://api.postmarkapp.com',
  docs_url: 'https://postmarkapp.com/developer',
  methods: [headerKey(secret('api_key', 'Server API token', 'Your server → API tokens.'), 'X-Postmark-Server-Token')],
  probe: get('/server'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'Authorization',
      how: 'Requests are not signed. A user name and a password in the webhook URL are sent as HTTP Basic.',
    },
    docs_url: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['ActiveCampaign/postmark.js src/client/models/client/ClientOptions.ts'],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/postmark.ts',
      'trufflesecurity/trufflehog pkg/detectors/postmark/postmark.go',
      'hookdeck/webhook-skills skills/postmark-webhooks/references/verification.md',
    ],
  },
});
