import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { sentryEvents } from '../events/sentry.ts';
import { push } from '../source.ts';

export const sentry = defineApp({
  app: 'sentry',
  name: 'Sentry',
  description: 'Errors, releases and performance.',
  category: 'developer',
  base_url: 'https://sentry.io',
  docs_url: 'https://docs.sentry.io/api/',
  icon: 'siSentry',
  methods: [
    bearerKey(secret('api_key', 'Auth token', 'A user auth token, or the token of an internal integration.')),
    oauth2({
      authorize_url: 'https://sentry.io/oauth/authorize/',
      token_url: 'https://sentry.io/oauth/token/',
      scopes: ['org:read', 'project:read', 'event:read'],
    }),
  ],
  probe: get('/api/0/organizations/'),
  webhook: hmac({
    header: 'Sentry-Hook-Signature',
    docs_url: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  }),
  source: push({
    secret: 'theirs',
    event: [{ header: 'Sentry-Hook-Resource' }, { body: 'action' }],
    id: [{ header: 'Request-ID' }],
    match: { project: { at: [{ body: 'data.issue.project.slug' }, { body: 'data.project_slug' }] } },
    steps: [
      'Open Settings → Developer Settings in Sentry and create an internal integration.',
      'Enter {url} as Webhook URL, grant read permission for issues, and select the webhooks that you need.',
      'Save, copy the Client Secret and enter it here.',
    ],
    docs: {
      facts: [
        'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
        'zulip/zulip zerver/webhooks/sentry/fixtures',
      ],
    },
  }),
  event_types: sentryEvents,
  gateway: { hosts: { us: 'https://us.sentry.io', de: 'https://de.sentry.io' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.sentry.io/api/auth',
      'getsentry/sentry-mcp packages/mcp-cloudflare/src/server/oauth/constants.ts',
      'https://docs.sentry.io/ip-ranges',
    ],
    others: [
      'simstudioai/sim apps/sim/tools/sentry',
      'simstudioai/sim apps/sim/lib/webhooks/providers/sentry.ts',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
