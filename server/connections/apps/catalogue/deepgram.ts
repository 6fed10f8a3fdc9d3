import { defineApp, get, headerKey, secret } from '../definition.ts';

export const deepgram = defineApp({
  app: 'deepgram',
  name: 'Deepgram',
  description: 'Speech to text, text to speech and voice agents.',
  category: 'ai',
  base_url: 'https://api.deepgram.com',
  docs_url: 'https://developers.deepgram.com/reference/deepgram-api-overview',
  icon: 'siDeepgram',
  methods: [
    headerKey(secret('api_key', 'API key', 'Console → Settings → API Keys.'), 'Authorization', 'Token {api_key}'),
  ],
  probe: get('/v1/projects'),
  gateway: { hosts: { eu: 'https://api.eu.deepgram.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'deepgram/deepgram-docs fern/docs/authentication.mdx',
      'https://developers.deepgram.com/reference/regional-endpoints',
    ],
    others: ['deepgram/deepgram-python-sdk src/deepgram/environment.py'],
  },
});
