import { defineApp, get, oauth2 } from '../definition.ts';

export const spotify = defineApp({
  app: 'spotify',
  name: 'Spotify',
  description: 'Music, playlists and playback.',
  category: 'media',
  base_url: 'https://api.spotify.com',
  docs_url: 'https://developer.spotify.com/documentation/web-api',
  icon: 'siSpotify',
  methods: [
    oauth2({
      authorize_url: 'https://accounts.spotify.com/authorize',
      token_url: 'https://accounts.spotify.com/api/token',
      client_auth: 'basic',
      scopes: ['user-read-email'],
    }),
  ],
  probe: get('/v1/me'),
  evidence: {
    verified: '2026-11',
    vendor: ['sonallux/spotify-web-api official-spotify-open-api.yml'],
    others: ['spotipy-dev/spotipy spotipy/oauth2.py', 'nextauthjs/next-auth packages/core/src/providers/spotify.ts'],
  },
});
