import { type AppDefinition, bearerKey, defineApp, get, headerKey, secret } from '../../definition.ts';

export const aiApps: readonly AppDefinition[] = [
  defineApp({
    app: 'openrouter',
    name: 'OpenRouter',
    description: 'Language models of many vendors behind one API.',
    category: 'ai',
    base_url: 'https://openrouter.ai',
    docs_url: 'https://openrouter.ai/docs',
    icon: 'siOpenrouter',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/api/v1/key'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/openrouter/openrouter.go',
        'automatisch/automatisch packages/backend/src/apps/openrouter',
      ],
    },
  }),
  defineApp({
    app: 'perplexity',
    name: 'Perplexity',
    description: 'Answers with sources from a web search.',
    category: 'ai',
    base_url: 'https://api.perplexity.ai',
    docs_url: 'https://docs.perplexity.ai',
    icon: 'siPerplexity',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/perplexity',
        'automatisch/automatisch packages/backend/src/apps/perplexity',
      ],
    },
  }),
  defineApp({
    app: 'pinecone',
    name: 'Pinecone',
    description: 'Vector search: indexes and embeddings.',
    category: 'ai',
    base_url: 'https://api.pinecone.io',
    docs_url: 'https://docs.pinecone.io/reference/api/introduction',
    methods: [headerKey(secret('api_key', 'API key', null), 'Api-Key')],
    probe: get('/indexes'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['pinecone-io/pinecone-api 2026-04/db_control_2026-04.oas.yaml'],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/pinecone/models.go',
        'simstudioai/sim apps/sim/tools/pinecone',
      ],
    },
  }),
  defineApp({
    app: 'langsmith',
    name: 'LangSmith',
    description: 'Traces, feedback and evaluations of language models.',
    category: 'ai',
    base_url: 'https://api.smith.langchain.com',
    docs_url: 'https://docs.smith.langchain.com',
    icon: 'siLangchain',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-API-Key')],
    probe: get('/api/v1/api-key'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/langsmith/langsmith.go',
        'simstudioai/sim apps/sim/tools/langsmith',
      ],
    },
  }),
];
