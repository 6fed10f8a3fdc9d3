import { defineApp, get, headerKey, hmac, oauth2, secret } from '../definition.ts';
import { pagerdutyEvents } from '../events/pagerduty.ts';
import { push } from '../source.ts';

export const pagerduty = defineApp({
  app: 'pagerduty',
  name: 'PagerDuty',
  description: 'Incidents, services and who is on call.',
  category: 'developer',
  base_url: 'https://api.pagerduty.com',
  docs_url: 'https://developer.pagerduty.com/api-reference/',
  icon: 'siPagerduty',
  default_headers: { Accept: 'application/vnd.pagerduty+json;version=2' },
  methods: [
    headerKey(
      secret('api_key', 'API key', 'Integrations → API Access Keys, or a user API token.'),
      'Authorization',
      'Token token={api_key}',
    ),
    oauth2({
      authorize_url: 'https://identity.pagerduty.com/oauth/authorize',
      token_url: 'https://identity.pagerduty.com/oauth/token',
      scopes: ['incidents.read', 'incidents.write', 'services.read', 'users.read'],
    }),
  ],
  probe: get('/users?limit=1'),
  // Several signatures, separated by commas, while a secret is being rotated.
  webhook: hmac({
    header: 'X-PagerDuty-Signature',
    prefix: 'v1=',
    docs_url: 'https://developer.pagerduty.com/docs/webhooks-overview',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event.event_type' }],
    id: [{ body: 'event.id' }],
    match: { service: { at: { body: 'event.data.service.id' } } },
    steps: [
      'Open Integrations → Generic Webhooks (v3) in PagerDuty and choose New Webhook.',
      'Enter {url} as Webhook URL and select the scope and the events.',
      'Copy the secret, which PagerDuty shows once, and enter it here.',
    ],
    docs: {
      verified: 'The header has one value per secret, separated by commas.',
      facts: [
        'https://developer.pagerduty.com/docs/webhooks-overview',
        'zulip/zulip zerver/webhooks/pagerduty/fixtures',
      ],
    },
  }),
  event_types: pagerdutyEvents,
  gateway: { hosts: { eu: 'https://api.eu.pagerduty.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'PagerDuty/api-schema reference/REST/openapiv3.json',
      'PagerDuty-Samples/pagerduty-bulk-user-mgr-sample js/auth.js',
      'https://support.pagerduty.com/docs/service-regions',
    ],
    others: [
      'PagerDuty/go-pagerduty client.go',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      'simstudioai/sim apps/sim/lib/webhooks/providers/pagerduty.ts',
    ],
  },
});
