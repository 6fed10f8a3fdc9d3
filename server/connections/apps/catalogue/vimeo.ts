import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const vimeo = defineApp({
  app: 'vimeo',
  name: 'Vimeo',
  description: 'Videos, folders and showcases.',
  category: 'media',
  base_url: 'https://api.vimeo.com',
  docs_url: 'https://developer.vimeo.com/api/reference',
  icon: 'siVimeo',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Developer site → My apps → your app.')),
    oauth2({
      authorize_url: 'https://api.vimeo.com/oauth/authorize',
      token_url: 'https://api.vimeo.com/oauth/access_token',
      client_auth: 'basic',
      pkce: false,
      scopes: ['public'],
    }),
  ],
  probe: get('/me'),
  evidence: {
    verified: '2026-11',
    vendor: ['vimeo/vimeo.js lib/vimeo.js'],
    others: [
      'SocialiteProviders/Providers src/Vimeo/Provider.php',
      'pennersr/django-allauth allauth/socialaccount/providers/vimeo_oauth2/views.py',
    ],
  },
});
