import { basic, defineApp, get, secret, text } from '../definition.ts';

export const mixpanel = defineApp({
  app: 'mixpanel',
  name: 'Mixpanel',
  description: 'Events, funnels and cohorts of a product.',
  category: 'analytics',
  base_url: 'https://mixpanel.com',
  docs_url: 'https://developer.mixpanel.com/reference/overview',
  icon: 'siMixpanel',
  methods: [
    basic(
      text('username', 'Service account', 'Organization settings → Service accounts.'),
      secret('secret', 'Secret', 'Shown once, when you create the service account.'),
    ),
  ],
  probe: get('/api/app/me'),
  gateway: {
    hosts: {
      eu: 'https://eu.mixpanel.com',
      in: 'https://in.mixpanel.com',
      data: 'https://data.mixpanel.com',
      'data-eu': 'https://data-eu.mixpanel.com',
      'data-in': 'https://data-in.mixpanel.com',
      ingestion: 'https://api.mixpanel.com',
      'ingestion-eu': 'https://api-eu.mixpanel.com',
      'ingestion-in': 'https://api-in.mixpanel.com',
    },
  },
  evidence: {
    verified: '2026-11',
    vendor: ['mixpanel/docs reference/service-accounts.mdx', 'https://docs.mixpanel.com/reference/overview'],
    others: ['trufflesecurity/trufflehog pkg/detectors/mixpanel/mixpanel.go'],
  },
});
