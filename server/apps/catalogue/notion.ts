import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const notion = defineApp({
  app: 'notion',
  name: 'Notion',
  description: 'Pages, databases and blocks.',
  category: 'productivity',
  base_url: 'https://api.notion.com',
  docs_url: 'https://developers.notion.com/reference/intro',
  icon: 'siNotion',
  // Notion refuses requests without one; whoever needs another version sends it.
  default_headers: { 'Notion-Version': '2022-06-28' },
  methods: [
    bearerKey(secret('api_key', 'Integration secret', 'The secret of an internal integration; share pages with it.')),
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
});
