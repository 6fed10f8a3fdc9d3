import { type AppDefinition, bearerKey, defineApp, get, oauth2, secret } from '../../definition.ts';

export const supportApps: readonly AppDefinition[] = [
  defineApp({
    app: 'groove',
    name: 'Groove',
    description: 'Tickets and customers of a help desk.',
    category: 'support',
    base_url: 'https://api.groovehq.com',
    docs_url: 'https://www.groovehq.com/docs',
    methods: [
      bearerKey(secret('api_key', 'Access token', null)),
      oauth2({
        authorize_url: 'https://api.groovehq.com/oauth/authorize',
        token_url: 'https://api.groovehq.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/v1/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/groove.go',
        'simov/grant config/oauth.json',
        'trufflesecurity/trufflehog pkg/detectors/groovehq/groovehq.go',
      ],
    },
  }),
  defineApp({
    app: 'delighted',
    name: 'Delighted',
    description: 'Surveys of customers and their responses.',
    category: 'support',
    base_url: 'https://api.delighted.com',
    docs_url: 'https://app.delighted.com/docs/api',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/delighted.go',
        'trufflesecurity/trufflehog pkg/detectors/delighted/delighted.go',
      ],
    },
  }),
];
