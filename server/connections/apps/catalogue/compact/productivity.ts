import { type AppDefinition, bearerKey, defineApp, get, oauth2, secret, text } from '../../definition.ts';
import { google } from '../../google.ts';

export const productivityApps: readonly AppDefinition[] = [
  defineApp({
    app: 'google-docs',
    name: 'Google Docs',
    description: 'Text documents: read, create and edit.',
    category: 'productivity',
    base_url: 'https://docs.googleapis.com',
    docs_url: 'https://developers.google.com/workspace/docs/api/reference/rest',
    icon: 'siGoogledocs',
    methods: [...google(['https://www.googleapis.com/auth/documents'])],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/google_docs',
        'automatisch/automatisch packages/backend/src/apps/google-docs',
      ],
    },
  }),
  defineApp({
    app: 'google-forms',
    name: 'Google Forms',
    description: 'Forms and their responses.',
    category: 'productivity',
    base_url: 'https://forms.googleapis.com',
    docs_url: 'https://developers.google.com/workspace/forms/api/reference/rest',
    icon: 'siGoogleforms',
    methods: [...google(['https://www.googleapis.com/auth/forms.body'])],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/google_forms',
        'automatisch/automatisch packages/backend/src/apps/google-forms',
      ],
    },
  }),
  defineApp({
    app: 'google-tasks',
    name: 'Google Tasks',
    description: 'Task lists and tasks of a user.',
    category: 'productivity',
    base_url: 'https://tasks.googleapis.com',
    docs_url: 'https://developers.google.com/workspace/tasks/reference/rest',
    icon: 'siGoogletasks',
    methods: [...google(['https://www.googleapis.com/auth/tasks'])],
    probe: get('/tasks/v1/users/@me/lists'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/google_tasks',
        'automatisch/automatisch packages/backend/src/apps/google-tasks',
      ],
    },
  }),
  defineApp({
    app: 'google-contacts',
    name: 'Google Contacts',
    description: 'Contacts of a user: the People API.',
    category: 'productivity',
    base_url: 'https://people.googleapis.com',
    docs_url: 'https://developers.google.com/people/api/rest',
    methods: [
      ...google(['https://www.googleapis.com/auth/contacts', 'https://www.googleapis.com/auth/userinfo.profile']),
    ],
    probe: get('/v1/people/me?personFields=names'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/google_contacts',
        'automatisch/automatisch packages/backend/src/apps/gmail',
      ],
    },
  }),
  defineApp({
    app: 'ashby',
    name: 'Ashby',
    description: 'Candidates, jobs and applications of a recruiting team.',
    category: 'productivity',
    base_url: 'https://api.ashbyhq.com',
    docs_url: 'https://developers.ashbyhq.com',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/ashby.go', 'simstudioai/sim apps/sim/tools/ashby'],
    },
  }),
  defineApp({
    app: 'coda',
    name: 'Coda',
    description: 'Docs, pages and tables.',
    category: 'productivity',
    base_url: 'https://coda.io',
    docs_url: 'https://coda.io/developers/apis/v1',
    icon: 'siCoda',
    methods: [bearerKey(secret('api_key', 'API token', null))],
    probe: get('/apis/v1/whoami'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/coda.go', 'trufflesecurity/trufflehog pkg/detectors/coda/coda.go'],
    },
  }),
  defineApp({
    app: 'smartsheet',
    name: 'Smartsheet',
    description: 'Sheets, rows and reports.',
    category: 'productivity',
    base_url: 'https://api.smartsheet.com',
    docs_url: 'https://developers.smartsheet.com/api/smartsheet/introduction',
    methods: [
      bearerKey(secret('api_key', 'Access token', null)),
      oauth2({
        authorize_url: 'https://app.smartsheet.com/b/authorize',
        token_url: 'https://api.smartsheet.com/2.0/token',
        pkce: false,
        scopes: ['READ_SHEETS', 'WRITE_SHEETS'],
      }),
    ],
    probe: get('/2.0/sheets'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/smartsheet.go',
        'simov/grant config/oauth.json',
        'trufflesecurity/trufflehog pkg/detectors/smartsheets/smartsheets.go',
      ],
    },
  }),
  defineApp({
    app: 'aha',
    name: 'Aha!',
    description: 'Roadmaps, features and ideas of products.',
    category: 'productivity',
    base_url: 'https://{domain}.aha.io',
    docs_url: 'https://www.aha.io/api',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text(
            'domain',
            'Subdomain',
            'The part before .aha.io in the URL.',
            '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?',
          ),
          secret('api_key', 'API key', null),
        ],
        put: [{ in: 'header', name: 'Authorization', template: 'Bearer {api_key}' }],
      },
      oauth2({
        fields: [
          text(
            'domain',
            'Subdomain',
            'The part before .aha.io in the URL.',
            '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?',
          ),
        ],
        authorize_url: 'https://{domain}.aha.io/oauth/authorize',
        token_url: 'https://{domain}.aha.io/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/api/v1/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/aha.go',
        'simov/grant config/oauth.json',
        'trufflesecurity/trufflehog pkg/detectors/aha/aha.go',
      ],
    },
  }),
  defineApp({
    app: 'procore',
    name: 'Procore',
    description: 'Projects, drawings and budgets of construction.',
    category: 'productivity',
    base_url: 'https://api.procore.com',
    docs_url: 'https://developers.procore.com',
    methods: [
      oauth2({
        authorize_url: 'https://login.procore.com/oauth/authorize',
        token_url: 'https://login.procore.com/oauth/token',
        pkce: false,
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/procore.go', 'simov/grant config/oauth.json'],
    },
  }),
  defineApp({
    app: 'acuity',
    name: 'Acuity Scheduling',
    description: 'Appointments, calendars and clients.',
    category: 'productivity',
    base_url: 'https://acuityscheduling.com',
    docs_url: 'https://developers.acuityscheduling.com',
    methods: [
      oauth2({
        authorize_url: 'https://acuityscheduling.com/oauth2/authorize',
        token_url: 'https://acuityscheduling.com/oauth2/token',
        pkce: false,
        scopes: ['api-v1'],
      }),
    ],
    probe: get('/api/v1/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/acuityScheduling.go', 'simov/grant config/oauth.json'],
    },
  }),
];
