import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { segmentEvents } from '../events/tools/segment.ts';
import { push } from '../source.ts';

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
  webhook: hmac({
    header: 'X-Signature',
    algorithm: 'sha1',
    docs_url: 'https://segment.com/docs/connections/destinations/catalog/actions-webhook/',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'type' }],
    id: [{ body: 'messageId' }],
    match: { event: { at: { body: 'event' } } },
    steps: [
      'Open Connections → Catalog in Segment, select the destination Webhooks (Actions) and choose a source.',
      'Enter {secret} as Shared Secret in the settings.',
      'Add a mapping with {url} as URL and POST as method, leave Data unchanged and batches off, and enable it.',
    ],
    docs: {
      id: 'Several mappings with this URL count as one.',
      facts: [
        'segmentio/segment-docs src/connections/destinations/catalog/webhooks/index.md',
        'segmentio/segment-docs src/connections/destinations/catalog/actions-webhook/index.md',
        'segmentio/action-destinations packages/destination-actions/src/destinations/webhook/index.ts',
      ],
    },
  }),
  event_types: segmentEvents,
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
