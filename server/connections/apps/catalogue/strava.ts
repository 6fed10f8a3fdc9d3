import { defineApp, get, oauth2 } from '../definition.ts';

export const strava = defineApp({
  app: 'strava',
  name: 'Strava',
  description: 'Activities, routes and segments of an athlete.',
  category: 'media',
  base_url: 'https://www.strava.com',
  docs_url: 'https://developers.strava.com/docs/reference/',
  icon: 'siStrava',
  methods: [
    oauth2({
      authorize_url: 'https://www.strava.com/oauth/authorize',
      token_url: 'https://www.strava.com/oauth/token',
      pkce: false,
      scopes: ['read', 'activity:read'],
      scope_separator: ',',
    }),
  ],
  probe: get('/api/v3/athlete'),
  evidence: {
    verified: '2026-11',
    vendor: ['strava/go.strava oauth.go'],
    others: [
      'stravalib/stravalib src/stravalib/protocol.py',
      'nextauthjs/next-auth packages/core/src/providers/strava.ts',
      'SocialiteProviders/Providers src/Strava/Provider.php',
    ],
  },
});
