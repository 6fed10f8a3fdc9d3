import { defineApp, get, oauth2, secret } from '../definition.ts';

export const youtube = defineApp({
  app: 'youtube',
  name: 'YouTube',
  description: 'Videos, channels and playlists.',
  category: 'media',
  base_url: 'https://www.googleapis.com',
  docs_url: 'https://developers.google.com/youtube/v3/docs',
  icon: 'siYoutube',
  methods: [
    {
      method: 'API_KEY',
      fields: [secret('api_key', 'API key', 'Google Cloud console → APIs and services → Credentials.')],
      put: [{ in: 'query', name: 'key', template: '{api_key}' }],
    },
    // Without the service account of the other Google apps: it has no channel.
    oauth2({
      authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_url: 'https://oauth2.googleapis.com/token',
      scopes: ['https://www.googleapis.com/auth/youtube.readonly'],
      // Google issues a refresh token only with both.
      authorize_params: { access_type: 'offline', prompt: 'consent' },
    }),
  ],
  probe: get('/youtube/v3/i18nLanguages?part=snippet'),
  gateway: {
    hosts: {
      analytics: 'https://youtubeanalytics.googleapis.com',
      reporting: 'https://youtubereporting.googleapis.com',
    },
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'googleapis/google-auth-library-nodejs src/auth/oauth2client.ts',
      'googleapis/google-api-nodejs-client discovery/youtubeAnalytics-v2.json',
    ],
    others: [
      'SocialiteProviders/Providers src/YouTube/Provider.php',
      'trufflesecurity/trufflehog pkg/detectors/youtubeapikey/youtubeapikey.go',
    ],
  },
});
