import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const contentful = defineApp({
  app: 'contentful',
  name: 'Contentful',
  description: 'Content types, entries and assets of a space.',
  category: 'media',
  base_url: 'https://api.contentful.com',
  docs_url: 'https://www.contentful.com/developers/docs/references/content-management-api/',
  icon: 'siContentful',
  methods: [bearerKey(secret('api_key', 'Management token', 'Settings → CMA tokens. It starts with CFPAT-.'))],
  probe: get('/organizations'),
  gateway: {
    hosts: {
      upload: 'https://upload.contentful.com',
      eu: 'https://api.eu.contentful.com',
      'upload-eu': 'https://upload.eu.contentful.com',
    },
  },
  evidence: {
    verified: '2026-11',
    vendor: ['contentful/contentful-management.js lib/adapters/REST/rest-adapter.ts'],
    others: ['trufflesecurity/trufflehog pkg/detectors/contentfulpersonalaccesstoken/contentfulpersonalaccesstoken.go'],
  },
});
