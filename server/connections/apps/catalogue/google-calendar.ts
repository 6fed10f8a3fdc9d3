import { defineApp, get } from '../definition.ts';
import { GOOGLE_CHANNEL, google } from '../google.ts';

export const googleCalendar = defineApp({
  app: 'google-calendar',
  name: 'Google Calendar',
  description: 'Calendars, events and free time.',
  category: 'productivity',
  base_url: 'https://www.googleapis.com',
  docs_url: 'https://developers.google.com/workspace/calendar/api/v3/reference',
  icon: 'siGooglecalendar',
  methods: google(['https://www.googleapis.com/auth/calendar']),
  probe: get('/calendar/v3/users/me/calendarList?maxResults=1'),
  webhook: { signature: GOOGLE_CHANNEL, docs_url: 'https://developers.google.com/workspace/calendar/api/guides/push' },
  evidence: {
    verified: '2026-11',
    vendor: [
      'googleapis/google-auth-library-nodejs src/auth/oauth2client.ts',
      'https://developers.google.com/identity/protocols/oauth2/service-account',
      'googleapis/google-api-nodejs-client discovery/calendar-v3.json',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/google.ts',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
