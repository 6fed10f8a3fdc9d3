import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const wise = defineApp({
  app: 'wise',
  name: 'Wise',
  description: 'Quotes, transfers and balances in many currencies.',
  category: 'finance',
  base_url: 'https://api.wise.com',
  docs_url: 'https://docs.wise.com/api-reference',
  icon: 'siWise',
  methods: [bearerKey(secret('api_key', 'Personal API token', 'Your account → Integrations and tools → API tokens.'))],
  probe: get('/v1/profiles'),
  gateway: { hosts: { sandbox: 'https://api.wise-sandbox.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['https://docs.wise.com/guides/developer/auth-and-security', 'https://docs.wise.com/guides/developer'],
    others: ['https://hexdocs.pm/wise/readme.html'],
  },
});
