import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const sendgrid = defineApp({
  app: 'sendgrid',
  name: 'SendGrid',
  description: 'Transactional and marketing email.',
  category: 'marketing',
  base_url: 'https://api.sendgrid.com',
  docs_url: 'https://www.twilio.com/docs/sendgrid/api-reference',
  methods: [bearerKey(secret('api_key', 'API key', 'Settings → API Keys. It starts with SG.', 'SG\\.[A-Za-z0-9._-]+'))],
  probe: get('/v3/scopes'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'X-Twilio-Email-Event-Webhook-Signature',
      how: 'ECDSA with SHA-256 over X-Twilio-Email-Event-Webhook-Timestamp and the body, in base64. The public key is in the mail settings.',
    },
    docs_url:
      'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
  },
  gateway: { hosts: { eu: 'https://api.eu.sendgrid.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'sendgrid/sendgrid-nodejs packages/client/src/classes/client.js',
      'sendgrid/sendgrid-nodejs packages/eventwebhook/src/eventwebhook.js',
      'sendgrid/sendgrid-php lib/BaseSendGridClientInterface.php',
    ],
    others: [
      'trufflesecurity/trufflehog pkg/detectors/sendgrid/sendgrid.go',
      'hookdeck/webhook-skills skills/sendgrid-webhooks/references/verification.md',
    ],
  },
});
