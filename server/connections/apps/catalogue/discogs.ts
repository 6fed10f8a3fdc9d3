import { defineApp, get, oauth1 } from '../definition.ts';

export const discogs = defineApp({
  app: 'discogs',
  name: 'Discogs',
  description: 'Releases, collections and the marketplace of records.',
  category: 'media',
  base_url: 'https://api.discogs.com',
  docs_url: 'https://www.discogs.com/developers/',
  icon: 'siDiscogs',
  // Discogs rejects requests without a user agent.
  default_headers: { 'User-Agent': 'sluice' },
  methods: [
    oauth1({
      request_url: 'https://api.discogs.com/oauth/request_token',
      authorize_url: 'https://discogs.com/oauth/authorize',
      access_url: 'https://api.discogs.com/oauth/access_token',
    }),
  ],
  probe: get('/oauth/identity'),
  evidence: {
    verified: '2026-11',
    vendor: ['discogs/discogs_client discogs_client/client.py'],
    others: [
      'pennersr/django-allauth allauth/socialaccount/providers/discogs/views.py',
      'SocialiteProviders/Providers src/Discogs/Server.php',
    ],
  },
});
