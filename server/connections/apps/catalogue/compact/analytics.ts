import { type AppDefinition, defineApp, get, oauth2, secret } from '../../definition.ts';
import { google } from '../../google.ts';

export const analyticsApps: readonly AppDefinition[] = [
  defineApp({
    app: 'chartmogul',
    name: 'ChartMogul',
    description: 'Subscription metrics: customers, plans, MRR.',
    category: 'analytics',
    base_url: 'https://api.chartmogul.com',
    docs_url: 'https://dev.chartmogul.com/reference',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    probe: get('/v1/ping'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/chartMogul.go',
        'trufflesecurity/trufflehog pkg/detectors/chartmogul/chartmogul.go',
      ],
    },
  }),
  defineApp({
    app: 'geckoboard',
    name: 'Geckoboard',
    description: 'Datasets of dashboards.',
    category: 'analytics',
    base_url: 'https://api.geckoboard.com',
    docs_url: 'https://developer.geckoboard.com',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    probe: get('/'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/geckoboard.go',
        'trufflesecurity/trufflehog pkg/detectors/geckoboard/geckoboard.go',
      ],
    },
  }),
  defineApp({
    app: 'surveymonkey',
    name: 'SurveyMonkey',
    description: 'Surveys and their responses.',
    category: 'analytics',
    base_url: 'https://api.surveymonkey.com',
    docs_url: 'https://developer.surveymonkey.com/api/v3/',
    icon: 'siSurveymonkey',
    methods: [
      oauth2({
        authorize_url: 'https://api.surveymonkey.com/oauth/authorize',
        token_url: 'https://api.surveymonkey.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/v3/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/surveyMonkey.go',
        'automatisch/automatisch packages/backend/src/apps/surveymonkey',
      ],
    },
  }),
  defineApp({
    app: 'google-bigquery',
    name: 'Google BigQuery',
    description: 'Datasets, tables and SQL queries of a data warehouse.',
    category: 'analytics',
    base_url: 'https://bigquery.googleapis.com',
    docs_url: 'https://cloud.google.com/bigquery/docs/reference/rest',
    icon: 'siGooglebigquery',
    methods: [...google(['https://www.googleapis.com/auth/bigquery'])],
    probe: get('/bigquery/v2/projects'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/bigquery.go', 'simstudioai/sim apps/sim/tools/google_bigquery'],
    },
  }),
];
