import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const segment = defineApp({
  app: 'segment',
  name: 'Segment',
  description: 'Sources, destinations and tracking plans of a workspace.',
  category: 'analytics',
  base_url: 'https://api.segmentapis.com',
  docs_url: 'https://docs.segmentapis.com/',
  methods: [
    bearerKey(secret('api_key', 'Public API token', 'Settings → Workspace settings → Access management → Tokens.')),
  ],
  probe: get('/'),
  gateway: { hosts: { eu: 'https://eu1.api.segmentapis.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'segmentio/public-api-sdk-typescript api/workspacesApi.ts',
      'segmentio/segment-docs src/api/public-api/index.md',
      'https://www.twilio.com/docs/segment/guides/regional-segment',
    ],
    others: ['amp-labs/connectors providers/segment.go'],
  },
});
