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
});
