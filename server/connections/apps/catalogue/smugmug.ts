import { defineApp, get, oauth1 } from '../definition.ts';

export const smugmug = defineApp({
  app: 'smugmug',
  name: 'SmugMug',
  description: 'Photos, galleries and albums.',
  category: 'media',
  base_url: 'https://api.smugmug.com',
  docs_url: 'https://api.smugmug.com/api/v2/doc',
  icon: 'siSmugmug',
  // SmugMug returns HTML unless the request accepts JSON.
  default_headers: { Accept: 'application/json' },
  methods: [
    oauth1({
      request_url: 'https://api.smugmug.com/services/oauth/1.0a/getRequestToken',
      authorize_url: 'https://api.smugmug.com/services/oauth/1.0a/authorize',
      access_url: 'https://api.smugmug.com/services/oauth/1.0a/getAccessToken',
      authorize_params: { Access: 'Full', Permissions: 'Modify' },
    }),
  ],
  probe: get('/api/v2!authuser'),
  evidence: {
    verified: '2026-11',
    vendor: ['https://api.smugmug.com/api/v2/doc/tutorial/authorization.html'],
    others: [
      'bzimmer/smugmug smugmug.go',
      'tommyblue/smugmug-api-authenticator utils.py',
      'simov/grant config/oauth.json',
    ],
  },
});
