import { defineApp, oauth1 } from '../definition.ts';

export const flickr = defineApp({
  app: 'flickr',
  name: 'Flickr',
  description: 'Photos, albums and groups.',
  category: 'media',
  base_url: 'https://api.flickr.com',
  docs_url: 'https://www.flickr.com/services/api/',
  icon: 'siFlickr',
  // No probe: Flickr always returns 200, with errors in the body.
  methods: [
    oauth1({
      request_url: 'https://www.flickr.com/services/oauth/request_token',
      authorize_url: 'https://www.flickr.com/services/oauth/authorize',
      access_url: 'https://www.flickr.com/services/oauth/access_token',
      authorize_params: { perms: 'write' },
    }),
  ],
  evidence: {
    verified: '2026-11',
    vendor: ['flickr/flickr-sdk src/services/oauth.ts'],
    others: [
      'sybrenstuvel/flickrapi flickrapi/auth.py',
      'pennersr/django-allauth allauth/socialaccount/providers/flickr/views.py',
      'SocialiteProviders/Providers src/Flickr/Server.php',
    ],
  },
});
