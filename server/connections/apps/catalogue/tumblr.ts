import { defineApp, get, oauth1, oauth2 } from '../definition.ts';

export const tumblr = defineApp({
  app: 'tumblr',
  name: 'Tumblr',
  description: 'Blogs and their posts.',
  category: 'media',
  base_url: 'https://api.tumblr.com',
  docs_url: 'https://www.tumblr.com/docs/en/api/v2',
  icon: 'siTumblr',
  methods: [
    oauth1({
      request_url: 'https://www.tumblr.com/oauth/request_token',
      authorize_url: 'https://www.tumblr.com/oauth/authorize',
      access_url: 'https://www.tumblr.com/oauth/access_token',
    }),
    oauth2({
      authorize_url: 'https://www.tumblr.com/oauth2/authorize',
      token_url: 'https://api.tumblr.com/v2/oauth2/token',
      pkce: false,
      scopes: ['basic', 'write', 'offline_access'],
    }),
  ],
  probe: get('/v2/user/info'),
  evidence: {
    verified: '2026-11',
    vendor: ['tumblr/docs api.md'],
    others: [
      'markbates/goth providers/tumblr/tumblr.go',
      'pennersr/django-allauth allauth/socialaccount/providers/tumblr_oauth2/views.py',
    ],
  },
});
