import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const openai = defineApp({
  app: 'openai',
  name: 'OpenAI',
  description: 'Language, image and speech models.',
  category: 'ai',
  base_url: 'https://api.openai.com',
  docs_url: 'https://platform.openai.com/docs/api-reference',
  methods: [bearerKey(secret('api_key', 'API key', 'Project settings → API keys.'))],
  probe: get('/v1/models'),
  webhook: {
    signature: { kind: 'standard', prefix: 'webhook-' },
    docs_url: 'https://platform.openai.com/docs/guides/webhooks',
  },
  gateway: { hosts: { eu: 'https://eu.api.openai.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'openai/openai-openapi openapi.yaml',
      'openai/openai-node src/lib/webhook-signature.ts',
      'https://developers.openai.com/api/docs/guides/your-data',
    ],
    others: ['hookdeck/webhook-skills skills/openai-webhooks/SKILL.md', 'simstudioai/sim apps/sim/tools/openai'],
  },
});
