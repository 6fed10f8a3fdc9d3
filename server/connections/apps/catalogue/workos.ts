import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { workosEvents } from '../events/tools/workos.ts';
import { push } from '../source.ts';

export const workos = defineApp({
  app: 'workos',
  name: 'WorkOS',
  description: 'Organizations, single sign-on and directories.',
  category: 'developer',
  base_url: 'https://api.workos.com',
  docs_url: 'https://workos.com/docs/reference',
  methods: [bearerKey(secret('api_key', 'API key', 'API Keys. It starts with sk_.'))],
  probe: get('/organizations?limit=1'),
  webhook: hmac({
    header: 'WorkOS-Signature',
    pairs: { timestamp: 't', signature: 'v1' },
    timestamp_unit: 'ms',
    tolerance_seconds: 180,
    signed: '{timestamp}.{body}',
    docs_url: 'https://workos.com/docs/events/data-syncing/webhooks',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event' }],
    id: [{ body: 'id' }],
    match: { directory: { at: { body: 'data.directory_id' } } },
    steps: [
      'Open Webhooks in the WorkOS Dashboard and add an endpoint.',
      'Enter {url} as its URL and select the events that you need.',
      'Copy the signing secret of the endpoint and enter it here.',
    ],
    docs: {
      facts: [
        'https://workos.com/docs/events/data-syncing/webhooks',
        'workos/workos-node src/common/crypto/signature-provider.ts',
        'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      ],
    },
  }),
  event_types: workosEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['workos/workos-node src/organizations/organizations.ts', 'workos/workos-python workos/webhooks.py'],
    others: ['flethy/flethy docs/api/workos.md', 'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts'],
  },
});
