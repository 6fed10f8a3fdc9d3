import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const miro = defineApp({
  app: 'miro',
  name: 'Miro',
  description: 'Boards and their items.',
  category: 'design',
  base_url: 'https://api.miro.com',
  docs_url: 'https://developers.miro.com/reference/overview',
  icon: 'siMiro',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Your app → Install app and get OAuth token.')),
    oauth2({
      authorize_url: 'https://miro.com/oauth/authorize',
      token_url: 'https://api.miro.com/v1/oauth/token',
      pkce: false,
    }),
  ],
  probe: get('/v1/oauth-token'),
  evidence: {
    verified: '2026-11',
    vendor: ['miroapp/api-clients packages/miro-api/index.ts'],
    others: ['pennersr/django-allauth allauth/socialaccount/providers/miro/views.py'],
  },
});
