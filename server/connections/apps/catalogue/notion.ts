import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { notionEvents } from '../events/notion.ts';
import { push } from '../source.ts';

export const notion = defineApp({
  app: 'notion',
  name: 'Notion',
  description: 'Pages, databases and blocks.',
  category: 'productivity',
  base_url: 'https://api.notion.com',
  docs_url: 'https://developers.notion.com/reference/intro',
  icon: 'siNotion',
  // Notion rejects requests without a version. Callers can send another one.
  default_headers: { 'Notion-Version': '2022-06-28' },
  methods: [
    bearerKey(
      secret(
        'api_key',
        'Integration secret',
        'The secret of an internal integration. Share the pages with that integration.',
      ),
    ),
    oauth2({
      authorize_url: 'https://api.notion.com/v1/oauth/authorize',
      token_url: 'https://api.notion.com/v1/oauth/token',
      client_auth: 'json',
      pkce: false,
      authorize_params: { owner: 'user' },
    }),
  ],
  probe: get('/v1/users/me'),
  webhook: hmac({
    header: 'X-Notion-Signature',
    prefix: 'sha256=',
    docs_url: 'https://developers.notion.com/reference/webhooks',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: { entity_id: { at: { body: 'entity.id' }, caseless: true } },
    handshake: { kind: 'secret', path: 'verification_token' },
    steps: [
      'Open your integration at notion.so/profile/integrations and choose the tab Webhooks.',
      'Choose Create a subscription, enter {url} as the webhook URL and select the event types.',
      'Notion sends a verification token at once. Reveal it here, choose Verify in Notion and enter it there.',
    ],
    docs: {
      handshake: 'Reveal the secret here and enter it in Notion.',
      facts: ['https://developers.notion.com/reference/webhooks', 'makenotion/notion-sdk-js README.md'],
    },
  }),
  event_types: notionEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['makenotion/notion-sdk-js src/Client.ts', 'makenotion/notion-sdk-js README.md'],
    others: [
      'pennersr/django-allauth allauth/socialaccount/providers/notion/client.py',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
