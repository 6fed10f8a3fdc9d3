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
});
