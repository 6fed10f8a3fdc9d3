import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { herokuEvents } from '../events/business/heroku.ts';
import { push } from '../source.ts';

export const heroku = defineApp({
  app: 'heroku',
  name: 'Heroku',
  description: 'Apps, releases and add-ons.',
  category: 'developer',
  base_url: 'https://api.heroku.com',
  docs_url: 'https://devcenter.heroku.com/articles/platform-api-reference',
  default_headers: { Accept: 'application/vnd.heroku+json; version=3' },
  methods: [
    bearerKey(secret('api_key', 'API key', 'Account settings → API Key, or heroku authorizations:create.')),
    oauth2({
      authorize_url: 'https://id.heroku.com/oauth/authorize',
      token_url: 'https://id.heroku.com/oauth/token',
      pkce: false,
      scopes: ['read'],
    }),
  ],
  probe: get('/account'),
  webhook: hmac({
    header: 'Heroku-Webhook-Hmac-SHA256',
    encoding: 'base64',
    docs_url: 'https://devcenter.heroku.com/articles/app-webhooks#securing-webhook-requests',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'resource' }, { body: 'action' }],
    id: [{ body: 'id' }],
    match: { app: { at: { body: 'data.app.name' } } },
    steps: [
      'Install the Heroku command line and sign in.',
      'Run heroku webhooks:add --app your-app --include api:release --level sync --url {url} --secret {secret}, with the entities to include.',
    ],
    docs: {
      facts: [
        'https://devcenter.heroku.com/articles/app-webhooks',
        'https://devcenter.heroku.com/articles/webhook-events',
        'getsentry/sentry src/sentry_plugins/heroku/plugin.py',
      ],
    },
  }),
  event_types: herokuEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://devcenter.heroku.com/articles/oauth',
      'https://devcenter.heroku.com/articles/app-webhooks',
      'heroku/cli docs/webhooks.md',
    ],
    others: ['simov/grant config/oauth.json', 'getsentry/sentry src/sentry_plugins/heroku/plugin.py'],
  },
});
