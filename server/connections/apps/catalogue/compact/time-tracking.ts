import { type AppDefinition, bearerKey, defineApp, get, headerKey, oauth2, secret, text } from '../../definition.ts';

export const timeTrackingApps: readonly AppDefinition[] = [
  defineApp({
    app: 'clockify',
    name: 'Clockify',
    description: 'Time entries, projects and reports of a workspace.',
    category: 'productivity',
    base_url: 'https://api.clockify.me',
    docs_url: 'https://docs.clockify.me',
    icon: 'siClockify',
    methods: [headerKey(secret('api_key', 'API key', 'Preferences → Advanced.'), 'X-Api-Key')],
    probe: get('/api/v1/user'),
    gateway: { hosts: { reports: 'https://reports.api.clockify.me' } },
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/clockify/clockify.go',
        'PipedreamHQ/pipedream components/clockify/clockify.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'toggl',
    name: 'Toggl Track',
    description: 'Time entries, projects and reports of a workspace.',
    category: 'productivity',
    base_url: 'https://api.track.toggl.com',
    docs_url: 'https://engineering.toggl.com/docs/',
    icon: 'siToggltrack',
    methods: [
      {
        method: 'BASIC',
        fields: [secret('api_key', 'API token', 'Profile settings → API token.')],
        username: '{api_key}',
        password: 'api_token',
      },
    ],
    probe: get('/api/v9/me/workspaces'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/toggltrack/toggltrack.go',
        'PipedreamHQ/pipedream components/toggl/toggl.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'everhour',
    name: 'Everhour',
    description: 'Time entries, timers and budgets of projects.',
    category: 'productivity',
    base_url: 'https://api.everhour.com',
    docs_url: 'https://everhour.docs.apiary.io',
    methods: [headerKey(secret('api_key', 'API key', 'Settings → My profile.'), 'X-Api-Key')],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/everhour/everhour.go',
        'PipedreamHQ/pipedream components/everhour/everhour.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'harvest',
    name: 'Harvest',
    description: 'Time entries, expenses and invoices of projects.',
    category: 'productivity',
    base_url: 'https://api.harvestapp.com',
    docs_url: 'https://help.getharvest.com/api-v2/',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text('account_id', 'Account ID', 'Harvest ID → Developers.', '[0-9]+'),
          secret('api_key', 'Personal access token', 'Harvest ID → Developers.'),
        ],
        put: [
          { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' },
          { in: 'header', name: 'Harvest-Account-Id', template: '{account_id}' },
        ],
      },
    ],
    probe: get('/v2/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'singer-io/tap-harvest tap_harvest/client.py',
        'PipedreamHQ/pipedream components/harvest/harvest.app.mjs',
        'trufflesecurity/trufflehog pkg/detectors/harvest/harvest.go',
      ],
    },
  }),
  defineApp({
    app: 'timely',
    name: 'Timely',
    description: 'Planned and logged hours of projects.',
    category: 'productivity',
    base_url: 'https://api.timelyapp.com',
    docs_url: 'https://dev.timelyapp.com',
    methods: [
      oauth2({
        authorize_url: 'https://api.timelyapp.com/1.1/oauth/authorize',
        token_url: 'https://api.timelyapp.com/1.1/oauth/token',
        pkce: false,
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/timely.go', 'simov/grant config/oauth.json'],
    },
  }),
  defineApp({
    app: 'float',
    name: 'Float',
    description: 'Plans of people, projects and time off.',
    category: 'productivity',
    base_url: 'https://api.float.com',
    docs_url: 'https://developer.float.com',
    methods: [bearerKey(secret('api_key', 'API key', 'Account settings → Integrations.'))],
    probe: get('/v3/people?per-page=1'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/float/float.go',
        'PipedreamHQ/pipedream components/float/float.app.mjs',
      ],
    },
  }),
];
