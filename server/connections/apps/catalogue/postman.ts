import { defineApp, get, headerKey, secret } from '../definition.ts';

export const postman = defineApp({
  app: 'postman',
  name: 'Postman',
  description: 'Workspaces, collections and monitors.',
  category: 'developer',
  base_url: 'https://api.getpostman.com',
  docs_url: 'https://learning.postman.com/docs/developer/postman-api/intro-api/',
  icon: 'siPostman',
  methods: [headerKey(secret('api_key', 'API key', 'Account settings → API keys. It starts with PMAK-.'), 'X-API-Key')],
  probe: get('/me'),
  gateway: { hosts: { eu: 'https://api.eu.postman.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['https://learning.postman.com/docs/developer/postman-api/authentication/'],
    others: [
      'trufflesecurity/trufflehog pkg/detectors/postman/postman.go',
      'api-evangelist/postman openapi/_original/postman-apis-api-openapi.yml',
    ],
  },
});
