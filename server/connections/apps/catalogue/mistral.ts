import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const mistral = defineApp({
  app: 'mistral',
  name: 'Mistral AI',
  description: 'Language models, embeddings and OCR.',
  category: 'ai',
  base_url: 'https://api.mistral.ai',
  docs_url: 'https://docs.mistral.ai/api',
  icon: 'siMistralai',
  methods: [bearerKey(secret('api_key', 'API key', 'Console → API keys.'))],
  probe: get('/v1/models'),
  evidence: {
    verified: '2026-11',
    vendor: ['mistralai/platform-docs-public public/admin/security-access/api-keys.md'],
    others: ['mistralai/client-ts src/funcs/modelsList.ts', 'simstudioai/sim apps/sim/tools/mistral/parser.ts'],
  },
});
