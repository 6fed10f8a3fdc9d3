import { defineApp, secret, text } from '../definition.ts';

export const algolia = defineApp({
  app: 'algolia',
  name: 'Algolia',
  description: 'Search indexes, their records and rules.',
  category: 'developer',
  base_url: 'https://{app_id}.algolia.net',
  docs_url: 'https://www.algolia.com/doc/rest-api/search/',
  icon: 'siAlgolia',
  // No probe: the permissions of a key vary.
  methods: [
    {
      method: 'API_KEY',
      fields: [
        text('app_id', 'Application ID', 'Settings → API keys.', '[A-Za-z0-9]+'),
        secret('api_key', 'API key', 'A key with the permissions that your calls need.'),
      ],
      put: [
        { in: 'header', name: 'X-Algolia-Application-Id', template: '{app_id}' },
        { in: 'header', name: 'X-Algolia-API-Key', template: '{api_key}' },
      ],
    },
  ],
  evidence: {
    verified: '2026-11',
    vendor: ['algolia/algoliasearch-client-javascript packages/client-search/src/searchClient.ts'],
    others: ['trufflesecurity/trufflehog pkg/detectors/algoliaadminkey/algoliaadminkey.go'],
  },
});
