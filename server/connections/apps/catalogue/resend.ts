import { bearerKey, defineApp, secret } from '../definition.ts';
import { resendEvents } from '../events/resend.ts';
import { push } from '../source.ts';

export const resend = defineApp({
  app: 'resend',
  name: 'Resend',
  description: 'Email API for developers.',
  category: 'marketing',
  base_url: 'https://api.resend.com',
  docs_url: 'https://resend.com/docs/api-reference/introduction',
  icon: 'siResend',
  // No probe: keys with sending access are rejected by all other endpoints.
  methods: [bearerKey(secret('api_key', 'API key', 'API keys → Create API key. It starts with re_.'))],
  webhook: {
    signature: { kind: 'standard', prefix: 'svix-' },
    docs_url: 'https://resend.com/docs/webhooks/verify-webhooks-requests',
  },
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ header: 'svix-id' }],
    steps: [
      'Open Webhooks in Resend and choose Add Webhook.',
      'Enter {url} as Endpoint URL and select the events that you need.',
      'Copy the Signing Secret (it starts with whsec_) and enter it here.',
    ],
    docs: {
      facts: [
        'https://resend.com/docs/webhooks/verify-webhooks-requests',
        'resend/resend-node src/webhooks/webhooks.ts',
      ],
    },
  }),
  event_types: resendEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['resend/resend-openapi resend.yaml', 'resend/resend-node src/webhooks/webhooks.ts'],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/resend.ts',
      'hookdeck/webhook-skills skills/resend-webhooks/references/verification.md',
    ],
  },
});
