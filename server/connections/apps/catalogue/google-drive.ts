import { defineApp, get } from '../definition.ts';
import { GOOGLE_CHANNEL, google } from '../google.ts';

export const googleDrive = defineApp({
  app: 'google-drive',
  name: 'Google Drive',
  description: 'Files, folders and who may see them.',
  category: 'productivity',
  base_url: 'https://www.googleapis.com',
  docs_url: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  icon: 'siGoogledrive',
  methods: google(['https://www.googleapis.com/auth/drive']),
  probe: get('/drive/v3/about?fields=user'),
  webhook: { signature: GOOGLE_CHANNEL, docs_url: 'https://developers.google.com/workspace/drive/api/guides/push' },
});
