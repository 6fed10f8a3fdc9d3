import { defineApp, headerKey, hmac, oauth2, query, secret } from '../definition.ts';
import { linearEvents } from '../events/linear.ts';
import { linearHooks } from '../hooks/linear.ts';
import { push } from '../source.ts';

export const linear = defineApp({
  app: 'linear',
  name: 'Linear',
  description: 'Issues, projects and cycles.',
  category: 'developer',
  base_url: 'https://api.linear.app',
  docs_url: 'https://linear.app/developers',
  icon: 'siLinear',
  methods: [
    // Personal keys are sent without "Bearer", OAuth tokens with it.
    headerKey(secret('api_key', 'Personal API key', 'Settings → Security & access.'), 'Authorization'),
    oauth2({
      authorize_url: 'https://linear.app/oauth/authorize',
      token_url: 'https://api.linear.app/oauth/token',
      scopes: ['read', 'write'],
      scope_separator: ',',
    }),
  ],
  probe: query('/graphql', '{ viewer { id } }'),
  webhook: hmac({
    header: 'Linear-Signature',
    timestamp_path: 'webhookTimestamp',
    timestamp_unit: 'ms',
    tolerance_seconds: 60,
    docs_url: 'https://linear.app/developers/webhooks',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }, { body: 'action' }],
    id: [{ header: 'Linear-Delivery' }],
    match: {
      team: { at: { body: 'data.team.key' }, caseless: true },
      team_id: { at: [{ body: 'data.teamId' }, { body: 'data.team.id' }] },
    },
    steps: [
      'As an admin of the workspace, open Settings → API in Linear and choose New webhook.',
      'Enter {url} as URL and select the Data change events that you need.',
      'Copy the Signing secret of the webhook and enter it here.',
    ],
    docs: {
      facts: [
        'https://linear.app/developers/webhooks',
        'linear/linear packages/sdk/src/webhooks/client.ts',
        'zulip/zulip zerver/webhooks/linear/fixtures',
      ],
    },
  }),
  hooks: linearHooks,
  event_types: linearEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://linear.app/developers/oauth-2-0-authentication',
      'linear/linear packages/sdk/src/webhooks/client.ts',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'SocialiteProviders/Providers src/Linear/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
