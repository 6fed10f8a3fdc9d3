import { defineApp, get, oauth2 } from '../definition.ts';

export const reddit = defineApp({
  app: 'reddit',
  name: 'Reddit',
  description: 'Posts, comments and communities.',
  category: 'media',
  base_url: 'https://oauth.reddit.com',
  docs_url: 'https://www.reddit.com/dev/api/',
  icon: 'siReddit',
  // Reddit throttles requests without a client-specific user agent.
  default_headers: { 'User-Agent': 'sluice' },
  methods: [
    oauth2({
      authorize_url: 'https://www.reddit.com/api/v1/authorize',
      token_url: 'https://www.reddit.com/api/v1/access_token',
      client_auth: 'basic',
      pkce: false,
      scopes: ['identity', 'read'],
      // Reddit issues a refresh token only with this parameter.
      authorize_params: { duration: 'permanent' },
    }),
  ],
  probe: get('/api/v1/me'),
  evidence: {
    verified: '2026-11',
    vendor: ['reddit-archive/reddit r2/r2/controllers/oauth2.py'],
    others: [
      'praw-dev/prawcore prawcore/auth.py',
      'pennersr/django-allauth allauth/socialaccount/providers/reddit/views.py',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
