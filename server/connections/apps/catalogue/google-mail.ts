import { defineApp, get } from '../definition.ts';
import { google } from '../google.ts';

export const googleMail = defineApp({
  app: 'google-mail',
  name: 'Gmail',
  description: 'Messages, threads, drafts and labels.',
  category: 'communication',
  base_url: 'https://gmail.googleapis.com',
  docs_url: 'https://developers.google.com/workspace/gmail/api/reference/rest',
  icon: 'siGmail',
  methods: google(['https://www.googleapis.com/auth/gmail.modify'], { subject: true }),
  probe: get('/gmail/v1/users/me/profile'),
  evidence: {
    verified: '2026-11',
    vendor: [
      'googleapis/google-auth-library-nodejs src/auth/oauth2client.ts',
      'https://developers.google.com/identity/protocols/oauth2/service-account',
      'googleapis/google-api-nodejs-client discovery/gmail-v1.json',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/google.ts',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
