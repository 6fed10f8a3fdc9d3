import { type AppDefinition, bearerKey, defineApp, get, headerKey, secret, text } from '../../definition.ts';

export const developerApps: readonly AppDefinition[] = [
  defineApp({
    app: 'okta',
    name: 'Okta',
    description: 'Users, groups and apps of an organization.',
    category: 'developer',
    base_url: 'https://{domain}',
    docs_url: 'https://developer.okta.com/docs/reference/core-okta-api/',
    icon: 'siOkta',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text(
            'domain',
            'Okta domain',
            'For example acme.okta.com.',
            '[A-Za-z0-9-]+\\.(?:okta|oktapreview|okta-emea)\\.com',
          ),
          secret('api_key', 'API token', 'Security → API → Tokens.'),
        ],
        put: [{ in: 'header', name: 'Authorization', template: 'SSWS {api_key}' }],
      },
    ],
    probe: get('/api/v1/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['okta/okta-management-openapi-spec dist/2026.06.2/management-noEnums-oneOfInheritance.yaml'],
      others: ['trufflesecurity/trufflehog pkg/detectors/okta/okta.go', 'simstudioai/sim apps/sim/tools/okta'],
    },
  }),
  defineApp({
    app: 'launchdarkly',
    name: 'LaunchDarkly',
    description: 'Feature flags, projects and environments.',
    category: 'developer',
    base_url: 'https://app.launchdarkly.com',
    docs_url: 'https://apidocs.launchdarkly.com',
    methods: [headerKey(secret('api_key', 'Access token', null), 'Authorization')],
    probe: get('/api/v2/caller-identity'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/launchdarkly/launchdarkly.go',
        'simstudioai/sim apps/sim/tools/launchdarkly',
      ],
    },
  }),
  defineApp({
    app: 'rootly',
    name: 'Rootly',
    description: 'Incidents, alerts and on-call schedules.',
    category: 'developer',
    base_url: 'https://api.rootly.com',
    docs_url: 'https://docs.rootly.com/api-reference',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/v1/incidents'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['trufflesecurity/trufflehog pkg/detectors/rootly/rootly.go', 'simstudioai/sim apps/sim/tools/rootly'],
    },
  }),
  defineApp({
    app: 'better-stack',
    name: 'Better Stack',
    description: 'Uptime monitors, heartbeats and incidents.',
    category: 'developer',
    base_url: 'https://uptime.betterstack.com',
    docs_url: 'https://betterstack.com/docs/uptime/api/getting-started-with-uptime-api/',
    icon: 'siBetterstack',
    methods: [bearerKey(secret('api_key', 'API token', null))],
    probe: get('/api/v2/monitors'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/betterstack/betterstack.go',
        'automatisch/automatisch packages/backend/src/apps/better-stack',
      ],
    },
  }),
  defineApp({
    app: 'azure-devops',
    name: 'Azure DevOps',
    description: 'Work items, repositories and pipelines.',
    category: 'developer',
    base_url: 'https://dev.azure.com/{organization}',
    docs_url: 'https://learn.microsoft.com/en-us/rest/api/azure/devops/',
    methods: [
      {
        method: 'BASIC',
        fields: [
          text(
            'organization',
            'Organization',
            'The part after dev.azure.com/ in the URL.',
            '[A-Za-z0-9][A-Za-z0-9-]{0,49}',
          ),
          secret('token', 'Personal access token', 'User settings → Personal access tokens.'),
        ],
        username: '',
        password: '{token}',
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/azuredevopspersonalaccesstoken/azuredevopspersonalaccesstoken.go',
        'simstudioai/sim apps/sim/tools/azure_devops',
      ],
    },
  }),
];
