import { defineApp, secret, text } from '../definition.ts';

export const algolia = defineApp({
  app: 'algolia',
  name: 'Algolia',
  description: 'Search indexes, their records and rules.',
  category: 'developer',
  base_url: 'https://{app_id}.algolia.net',
  docs_url: 'https://www.algolia.com/doc/rest-api/search/',
  icon: 'siAlgolia',
  // No probe: what a key may do is its own.
  methods: [
    {
      method: 'API_KEY',
      fields: [
        text('app_id', 'Application id', 'Settings → API keys.', '[A-Za-z0-9]+'),
        secret('api_key', 'API key', 'One that may do what the calls need.'),
      ],
      put: [
        { in: 'header', name: 'X-Algolia-Application-Id', template: '{app_id}' },
        { in: 'header', name: 'X-Algolia-API-Key', template: '{api_key}' },
      ],
    },
  ],
  evidence: {
    vendor: ['algolia/algoliasearch-client-javascript packages/client-search/src/searchClient.ts'],
    others: ['trufflesecurity/trufflehog pkg/detectors/algoliaadminkey/algoliaadminkey.go'],
  },
});
