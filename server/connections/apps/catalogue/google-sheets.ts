import { defineApp } from '../definition.ts';
import { google } from '../google.ts';

export const googleSheets = defineApp({
  app: 'google-sheets',
  name: 'Google Sheets',
  description: 'Spreadsheets and their cells.',
  category: 'productivity',
  base_url: 'https://sheets.googleapis.com',
  docs_url: 'https://developers.google.com/workspace/sheets/api/reference/rest',
  icon: 'siGooglesheets',
  methods: google(['https://www.googleapis.com/auth/spreadsheets']),
  evidence: {
    verified: '2026-11',
    vendor: [
      'googleapis/google-auth-library-nodejs src/auth/oauth2client.ts',
      'https://developers.google.com/identity/protocols/oauth2/service-account',
      'googleapis/google-api-nodejs-client discovery/sheets-v4.json',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/google.ts',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
