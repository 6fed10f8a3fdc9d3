import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { asanaEvents } from '../events/asana.ts';
import { push } from '../source.ts';

export const asana = defineApp({
  app: 'asana',
  name: 'Asana',
  description: 'Tasks, projects and portfolios.',
  category: 'productivity',
  base_url: 'https://app.asana.com',
  docs_url: 'https://developers.asana.com/reference/rest-api-reference',
  icon: 'siAsana',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Create one at app.asana.com/0/my-apps.')),
    oauth2({
      authorize_url: 'https://app.asana.com/-/oauth_authorize',
      token_url: 'https://app.asana.com/-/oauth_token',
      scopes: ['default'],
    }),
  ],
  probe: get('/api/1.0/users/me'),
  // The first request contains the secret in X-Hook-Secret; the response must return it in the same header.
  webhook: hmac({ header: 'X-Hook-Signature', docs_url: 'https://developers.asana.com/docs/webhooks-guide' }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'resource.resource_type' }, { body: 'action' }],
    match: { resource: { at: { body: 'resource.gid' } } },
    items: 'events',
    handshake: { kind: 'secret-header', header: 'X-Hook-Secret' },
    steps: [
      'Asana webhooks can be created only with its API.',
      'Send POST https://app.asana.com/api/1.0/webhooks with the ID of a project or task as resource and {url} as target.',
      'Asana sends its secret with the first request. You don’t need to copy it.',
    ],
    docs: {
      id: 'Asana delivers each event at most once.',
      facts: [
        'https://developers.asana.com/docs/webhooks-guide',
        'https://asana.com/developers/api-reference/webhooks',
        'Asana/devrel-examples javascript/webhooks-nodejs/index.js',
      ],
    },
  }),
  event_types: asanaEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['Asana/openapi defs/asana_oas.yaml', 'Asana/devrel-examples javascript/webhooks-nodejs/index.js'],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'python-social-auth/social-core social_core/backends/asana.py',
      'api-evangelist/asana asyncapi/asana-webhooks-asyncapi.yml',
    ],
  },
});
