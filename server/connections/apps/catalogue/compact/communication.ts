import { type AppDefinition, bearerKey, defineApp, get, headerKey, secret } from '../../definition.ts';

export const communicationApps: readonly AppDefinition[] = [
  defineApp({
    app: 'livestorm',
    name: 'Livestorm',
    description: 'Webinars, sessions and registrations.',
    category: 'communication',
    base_url: 'https://api.livestorm.co',
    docs_url: 'https://developers.livestorm.co',
    methods: [headerKey(secret('api_key', 'API token', null), 'Authorization')],
    probe: get('/v1/ping'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/livestorm.go',
        'trufflesecurity/trufflehog pkg/detectors/livestorm/livestorm.go',
      ],
    },
  }),
  defineApp({
    app: 'fathom',
    name: 'Fathom',
    description: 'Recordings, transcripts and summaries of meetings.',
    category: 'communication',
    base_url: 'https://api.fathom.ai',
    docs_url: 'https://developers.fathom.ai',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-Api-Key')],
    probe: get('/external/v1/teams'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/Fathom.go', 'simstudioai/sim apps/sim/tools/fathom'],
    },
  }),
  defineApp({
    app: 'fireflies',
    name: 'Fireflies',
    description: 'Transcripts of meetings, by GraphQL.',
    category: 'communication',
    base_url: 'https://api.fireflies.ai',
    docs_url: 'https://docs.fireflies.ai',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/fireflies.go', 'simstudioai/sim apps/sim/tools/fireflies'],
    },
  }),
  defineApp({
    app: 'granola',
    name: 'Granola',
    description: 'Notes of meetings.',
    category: 'communication',
    base_url: 'https://public-api.granola.ai',
    docs_url: 'https://docs.granola.ai',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/granola.go', 'simstudioai/sim apps/sim/tools/granola'],
    },
  }),
];
