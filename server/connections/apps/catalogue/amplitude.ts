import { basic, defineApp, get, secret } from '../definition.ts';

export const amplitude = defineApp({
  app: 'amplitude',
  name: 'Amplitude',
  description: 'Events, cohorts and charts of a product.',
  category: 'analytics',
  base_url: 'https://amplitude.com',
  docs_url: 'https://amplitude.com/docs/apis',
  methods: [
    basic(
      secret('api_key', 'API key', 'Settings → Projects → your project.'),
      secret('secret_key', 'Secret key', 'Next to the API key.'),
    ),
  ],
  probe: get('/api/2/taxonomy/category'),
  gateway: { hosts: { eu: 'https://analytics.eu.amplitude.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['https://amplitude.com/docs/apis/analytics/dashboard-rest'],
    others: [
      'amp-labs/connectors providers/amplitude.go',
      'trufflesecurity/trufflehog pkg/detectors/amplitudeapikey/amplitudeapikey.go',
    ],
  },
});
