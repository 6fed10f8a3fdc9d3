import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { intercomEvents } from '../events/business/intercom.ts';
import { push } from '../source.ts';

export const intercom = defineApp({
  app: 'intercom',
  name: 'Intercom',
  description: 'Conversations, contacts and tickets.',
  category: 'support',
  base_url: 'https://api.intercom.io',
  docs_url: 'https://developers.intercom.com/docs/references/rest-api/api.intercom.io',
  icon: 'siIntercom',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Developer Hub → your app → Authentication.')),
    oauth2({
      authorize_url: 'https://app.intercom.com/oauth',
      token_url: 'https://api.intercom.io/auth/eagle/token',
      pkce: false,
    }),
  ],
  probe: get('/me'),
  webhook: hmac({
    header: 'X-Hub-Signature',
    algorithm: 'sha1',
    prefix: 'sha1=',
    docs_url: 'https://developers.intercom.com/docs/webhooks/setting-up-webhooks',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'topic' }],
    id: [{ body: 'id' }],
    match: { workspace: { at: { body: 'app_id' } } },
    handshake: { kind: 'head' },
    steps: [
      'Open your app in Intercom’s Developer Hub. Copy its client secret under Configure → Basic information and enter it here.',
      'Open Configure → Webhooks, enter {url} as endpoint URL, select the topics, and save.',
    ],
    docs: {
      id: 'A test request (`ping`) has none.',
      facts: [
        'https://developers.intercom.com/docs/webhooks/setting-up-webhooks',
        'https://developers.intercom.com/intercom-api-reference/v1.0/reference/signed-notifications',
        'https://gist.github.com/idmontie/15eb8b56b6a246ad45e1fbd71b422847',
        'zulip/zulip zerver/webhooks/intercom/fixtures/ping.json',
      ],
    },
  }),
  event_types: intercomEvents,
  gateway: { hosts: { eu: 'https://api.eu.intercom.io', au: 'https://api.au.intercom.io' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'intercom/Intercom-OpenAPI descriptions/2.11/api.intercom.io.yaml',
      'https://developers.intercom.com/building-apps/docs/rest-apis',
      'https://developers.intercom.com/intercom-api-reference/v1.0/reference/signed-notifications',
    ],
    others: [
      'amp-labs/connectors providers/intercom.go',
      'SocialiteProviders/Providers src/Intercom/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
