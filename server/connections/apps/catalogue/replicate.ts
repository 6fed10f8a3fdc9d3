import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const replicate = defineApp({
  app: 'replicate',
  name: 'Replicate',
  description: 'Open models: predictions and training.',
  category: 'ai',
  base_url: 'https://api.replicate.com',
  docs_url: 'https://replicate.com/docs/reference/http',
  icon: 'siReplicate',
  methods: [bearerKey(secret('api_key', 'API token', 'Account settings → API tokens.'))],
  probe: get('/v1/account'),
  webhook: {
    signature: { kind: 'standard', prefix: 'webhook-' },
    docs_url: 'https://replicate.com/docs/topics/webhooks/verify-webhook',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['replicate/replicate-javascript index.js', 'replicate/replicate-javascript lib/util.js'],
    others: [
      'hookdeck/webhook-skills skills/replicate-webhooks/SKILL.md',
      'trufflesecurity/trufflehog pkg/detectors/replicate/replicate.go',
    ],
  },
});
