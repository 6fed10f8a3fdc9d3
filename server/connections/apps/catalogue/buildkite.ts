import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { buildkiteEvents } from '../events/tools/buildkite.ts';
import { push } from '../source.ts';

export const buildkite = defineApp({
  app: 'buildkite',
  name: 'Buildkite',
  description: 'Pipelines, builds and agents.',
  category: 'developer',
  base_url: 'https://api.buildkite.com',
  docs_url: 'https://buildkite.com/docs/apis/rest-api',
  icon: 'siBuildkite',
  methods: [bearerKey(secret('api_key', 'API access token', 'Personal Settings → API Access Tokens.'))],
  probe: get('/v2/access-token'),
  webhook: hmac({
    header: 'X-Buildkite-Signature',
    pairs: { timestamp: 'timestamp', signature: 'signature' },
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: '{timestamp}.{body}',
    docs_url: 'https://buildkite.com/docs/apis/webhooks/pipelines',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event' }],
    match: { pipeline: { at: { body: 'pipeline.slug' } } },
    steps: [
      'Open Settings → Notification Services in Buildkite and choose Add next to Webhook.',
      'Enter {url} as Webhook URL, and select the events and pipelines.',
      'Copy the token, enter it here, and choose the HMAC signature in X-Buildkite-Signature instead of the plain token.',
    ],
    docs: {
      id: 'Buildkite sends no event ID.',
      facts: [
        'https://buildkite.com/docs/apis/webhooks/pipelines',
        'buildkite/docs pages/apis/webhooks/_verifying_hmac_signatures.md',
        'ahrefs/monorobot lib/util.ml',
      ],
    },
  }),
  event_types: buildkiteEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['buildkite/docs pages/apis/rest_api/builds.md', 'https://buildkite.com/docs/apis/webhooks/pipelines'],
    others: ['trufflesecurity/trufflehog pkg/detectors/buildkite/v1/buildkite.go', 'ahrefs/monorobot lib/util.ml'],
  },
});
