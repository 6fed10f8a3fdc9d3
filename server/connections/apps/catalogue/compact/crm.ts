import { type AppDefinition, bearerKey, defineApp, get, headerKey, secret, text } from '../../definition.ts';

export const crmApps: readonly AppDefinition[] = [
  defineApp({
    app: 'copper',
    name: 'Copper',
    description: 'Leads, people and opportunities in Google Workspace.',
    category: 'crm',
    base_url: 'https://api.copper.com',
    docs_url: 'https://developer.copper.com',
    default_headers: { 'X-PW-Application': 'developer_api' },
    methods: [
      {
        method: 'API_KEY',
        fields: [
          secret('api_key', 'API key', 'Settings → Integrations → API keys.'),
          text('email', 'Email address', 'The user who created the key.', '[^@\\s]+@[^@\\s]+'),
        ],
        put: [
          { in: 'header', name: 'X-PW-AccessToken', template: '{api_key}' },
          { in: 'header', name: 'X-PW-UserEmail', template: '{email}' },
        ],
      },
    ],
    probe: get('/developer_api/v1/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/copper.go', 'trufflesecurity/trufflehog pkg/detectors/copper/copper.go'],
    },
  }),
  defineApp({
    app: 'capsule',
    name: 'Capsule',
    description: 'People, organizations, opportunities and cases.',
    category: 'crm',
    base_url: 'https://api.capsulecrm.com',
    docs_url: 'https://developer.capsulecrm.com',
    methods: [bearerKey(secret('api_key', 'API token', null))],
    probe: get('/api/v2/users'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/capsule.go',
        'trufflesecurity/trufflehog pkg/detectors/capsulecrm/capsulecrm.go',
      ],
    },
  }),
  defineApp({
    app: 'salesflare',
    name: 'Salesflare',
    description: 'Contacts, accounts and opportunities of a sales team.',
    category: 'crm',
    base_url: 'https://api.salesflare.com',
    docs_url: 'https://api.salesflare.com/docs',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/me/contacts'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/salesflare.go',
        'trufflesecurity/trufflehog pkg/detectors/salesflare/salesflare.go',
      ],
    },
  }),
  defineApp({
    app: 'attio',
    name: 'Attio',
    description: 'Records, lists and notes of a workspace.',
    category: 'crm',
    base_url: 'https://api.attio.com',
    docs_url: 'https://docs.attio.com/rest-api',
    methods: [bearerKey(secret('api_key', 'Access token', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/attio.go', 'simstudioai/sim apps/sim/tools/attio'],
    },
  }),
  defineApp({
    app: 'apollo',
    name: 'Apollo',
    description: 'Search for people and companies, and sales sequences.',
    category: 'crm',
    base_url: 'https://api.apollo.io',
    docs_url: 'https://docs.apollo.io',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-Api-Key')],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/apollo.go',
        'trufflesecurity/trufflehog pkg/detectors/apollo/apollo.go',
        'simstudioai/sim apps/sim/tools/apollo',
      ],
    },
  }),
  defineApp({
    app: 'crunchbase',
    name: 'Crunchbase',
    description: 'Companies, people and funding rounds.',
    category: 'crm',
    base_url: 'https://api.crunchbase.com',
    docs_url: 'https://data.crunchbase.com/docs',
    icon: 'siCrunchbase',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-cb-user-key')],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/crunchbase.go', 'simstudioai/sim apps/sim/tools/crunchbase'],
    },
  }),
  defineApp({
    app: 'people-data-labs',
    name: 'People Data Labs',
    description: 'Enrichment of people and companies.',
    category: 'crm',
    base_url: 'https://api.peopledatalabs.com',
    docs_url: 'https://docs.peopledatalabs.com',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-Api-Key')],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/peopledatalabs/peopledatalabs.go',
        'simstudioai/sim apps/sim/tools/pdl',
      ],
    },
  }),
];
