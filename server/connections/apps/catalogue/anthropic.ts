import { defineApp, get, headerKey, secret } from '../definition.ts';

export const anthropic = defineApp({
  app: 'anthropic',
  name: 'Anthropic',
  description: 'Claude, a family of language models.',
  category: 'ai',
  base_url: 'https://api.anthropic.com',
  docs_url: 'https://docs.anthropic.com/en/api/overview',
  icon: 'siAnthropic',
  // Anthropic rejects requests without a version. Callers can send another one.
  default_headers: { 'anthropic-version': '2023-06-01' },
  methods: [headerKey(secret('api_key', 'API key', 'Console → API keys.'), 'x-api-key')],
  probe: get('/v1/models'),
  evidence: {
    verified: '2026-11',
    vendor: ['anthropics/anthropic-sdk-typescript src/client.ts'],
    others: ['https://docs.anthropic.com/en/api/overview'],
  },
});
