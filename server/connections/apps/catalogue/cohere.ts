import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const cohere = defineApp({
  app: 'cohere',
  name: 'Cohere',
  description: 'Language models, embeddings and reranking.',
  category: 'ai',
  base_url: 'https://api.cohere.com',
  docs_url: 'https://docs.cohere.com/reference/about',
  methods: [bearerKey(secret('api_key', 'API key', 'Dashboard → API keys.'))],
  probe: get('/v1/models'),
  evidence: {
    verified: '2026-11',
    vendor: ['cohere-ai/cohere-developer-experience cohere-openapi.yaml'],
    others: ['cohere-ai/cohere-typescript src/api/resources/models/client/Client.ts'],
  },
});
