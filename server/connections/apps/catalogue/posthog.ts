import { bearerKey, defineApp, get, secret, text } from '../definition.ts';

const key = bearerKey(secret('api_key', 'Personal API key', 'Settings → Personal API keys. It starts with phx_.'));

export const posthog = defineApp({
  app: 'posthog',
  name: 'PostHog',
  description: 'Events, insights and feature flags of a product.',
  category: 'analytics',
  base_url: 'https://{host}',
  docs_url: 'https://posthog.com/docs/api',
  icon: 'siPosthog',
  methods: [
    {
      ...key,
      fields: [
        text(
          'host',
          'Host',
          'us.posthog.com, eu.posthog.com or your own host.',
          '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
        ),
        ...key.fields,
      ],
    },
  ],
  probe: get('/api/users/@me/'),
  evidence: {
    verified: '2026-11',
    vendor: ['https://posthog.com/docs/api'],
    others: ['simstudioai/sim apps/sim/tools/posthog/utils.ts'],
  },
});
