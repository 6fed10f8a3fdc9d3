import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const front = defineApp({
  app: 'front',
  name: 'Front',
  description: 'Shared inboxes, conversations and contacts.',
  category: 'support',
  base_url: 'https://api2.frontapp.com',
  docs_url: 'https://dev.frontapp.com/reference/introduction',
  methods: [bearerKey(secret('api_key', 'API token', 'Settings → Developers → API tokens.'))],
  probe: get('/me'),
  evidence: {
    verified: '2026-11',
    vendor: ['frontapp/front-api-specs core-api/core-api.json'],
    others: ['trufflesecurity/trufflehog pkg/detectors/front/front.go', 'amp-labs/connectors providers/front.go'],
  },
});
