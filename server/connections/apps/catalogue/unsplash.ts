import { defineApp, get, headerKey, oauth2, secret } from '../definition.ts';

export const unsplash = defineApp({
  app: 'unsplash',
  name: 'Unsplash',
  description: 'Freely usable photos.',
  category: 'media',
  base_url: 'https://api.unsplash.com',
  docs_url: 'https://unsplash.com/documentation',
  icon: 'siUnsplash',
  methods: [
    headerKey(secret('api_key', 'Access key', 'Your apps → your app → Keys.'), 'Authorization', 'Client-ID {api_key}'),
    oauth2({
      authorize_url: 'https://unsplash.com/oauth/authorize',
      token_url: 'https://unsplash.com/oauth/token',
      pkce: false,
      scopes: ['public'],
    }),
  ],
  probe: get('/photos'),
  evidence: {
    verified: '2026-11',
    vendor: ['unsplash/unsplash-js src/index.ts'],
    others: [
      'SocialiteProviders/Providers src/Unsplash/Provider.php',
      'trufflesecurity/trufflehog pkg/detectors/unsplash/unsplash.go',
    ],
  },
});
