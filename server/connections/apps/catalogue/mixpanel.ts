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
  evidence: {
    verified: '2026-11',
    vendor: ['mixpanel/docs reference/service-accounts.mdx'],
    others: ['trufflesecurity/trufflehog pkg/detectors/mixpanel/mixpanel.go'],
  },
});
