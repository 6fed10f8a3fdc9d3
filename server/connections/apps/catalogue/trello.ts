import { defineApp, get, hmac, secret } from '../definition.ts';

export const trello = defineApp({
  app: 'trello',
  name: 'Trello',
  description: 'Boards, lists and cards.',
  category: 'productivity',
  base_url: 'https://api.trello.com',
  docs_url: 'https://developer.atlassian.com/cloud/trello/rest/',
  icon: 'siTrello',
  methods: [
    {
      method: 'API_KEY',
      fields: [
        secret('api_key', 'API key', 'Power-Up admin → your Power-Up → API key.'),
        secret('token', 'Token', 'Generated with the link next to the API key.'),
      ],
      put: [
        { in: 'query', name: 'key', template: '{api_key}' },
        { in: 'query', name: 'token', template: '{token}' },
      ],
    },
    {
      method: 'OAUTH1',
      fields: [],
      request_url: 'https://trello.com/1/OAuthGetRequestToken',
      authorize_url: 'https://trello.com/1/OAuthAuthorizeToken',
      access_url: 'https://trello.com/1/OAuthGetAccessToken',
      signature: 'HMAC-SHA1',
      authorize_params: { name: 'Sluice', scope: 'read,write', expiration: 'never' },
    },
  ],
  probe: get('/1/members/me'),
  // Keyed with the secret of the Power-Up. Trello first verifies the URL with HEAD.
  webhook: hmac({
    header: 'X-Trello-Webhook',
    algorithm: 'sha1',
    encoding: 'base64',
    signed: '{body}{url}',
    docs_url: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
  }),
  evidence: {
    verified: '2026-11',
    vendor: ['https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/'],
    others: [
      'sarumont/py-trello trello/util.py',
      'python-social-auth/social-core social_core/backends/trello.py',
      'botpress/botpress integrations/trello/src/webhook-events/handler-dispatcher.ts',
    ],
  },
});
