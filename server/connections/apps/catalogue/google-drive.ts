import { defineApp, get } from '../definition.ts';
import { GOOGLE_CHANNEL, google } from '../google.ts';

export const googleDrive = defineApp({
  app: 'google-drive',
  name: 'Google Drive',
  description: 'Files, folders and permissions.',
  category: 'productivity',
  base_url: 'https://www.googleapis.com',
  docs_url: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  icon: 'siGoogledrive',
  methods: google(['https://www.googleapis.com/auth/drive']),
  probe: get('/drive/v3/about?fields=user'),
  webhook: { signature: GOOGLE_CHANNEL, docs_url: 'https://developers.google.com/workspace/drive/api/guides/push' },
  evidence: {
    verified: '2026-11',
    vendor: [
      'googleapis/google-auth-library-nodejs src/auth/oauth2client.ts',
      'https://developers.google.com/identity/protocols/oauth2/service-account',
      'googleapis/google-api-nodejs-client discovery/drive-v3.json',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/google.ts',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
