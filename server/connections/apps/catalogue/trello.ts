import { defineApp, get, hmac, secret } from '../definition.ts';
import { trelloEvents } from '../events/tools/trello.ts';
import { push } from '../source.ts';

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
  source: push({
    secret: 'theirs',
    event: [{ body: 'action.type' }],
    id: [{ body: 'action.id' }],
    match: { board: { at: { body: 'action.data.board.id' } } },
    handshake: { kind: 'head' },
    steps: [
      'Open the API key of your Power-Up at trello.com/power-ups/admin, copy its secret (not the token) and enter it here.',
      'Send POST https://api.trello.com/1/webhooks with callbackURL {url} and idModel, the ID of a board, list or card. Trello verifies the URL at once.',
      'You can also send it through the gateway: POST /trello/1/webhooks with a connection.',
    ],
    docs: {
      id: 'It is the same for all webhooks that report the action.',
      facts: [
        'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
        'https://www.fasthook.io/docs/sources/types/trello',
        'zulip/zulip zerver/webhooks/trello/fixtures',
      ],
    },
  }),
  event_types: trelloEvents,
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
