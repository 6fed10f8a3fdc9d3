import { type AppDefinition, basic, bearerKey, defineApp, get, oauth2, secret, text } from '../../definition.ts';

const SUBDOMAIN = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

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
  defineApp({
    app: 'discourse',
    name: 'Discourse',
    description: 'Topics, posts and users of a community forum.',
    category: 'support',
    base_url: 'https://{host}',
    docs_url: 'https://docs.discourse.org',
    icon: 'siDiscourse',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text(
            'host',
            'Host',
            'The host of the forum, such as forum.example.com.',
            '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
          ),
          text('username', 'User name', 'The user that the calls act as, such as system.'),
          secret('api_key', 'API key', 'Admin → Advanced → API keys.'),
        ],
        put: [
          { in: 'header', name: 'Api-Key', template: '{api_key}' },
          { in: 'header', name: 'Api-Username', template: '{username}' },
        ],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/discourse.go',
        'PipedreamHQ/pipedream components/discourse/discourse.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'gorgias',
    name: 'Gorgias',
    description: 'Tickets, customers and messages of a store’s help desk.',
    category: 'support',
    base_url: 'https://{domain}.gorgias.com',
    docs_url: 'https://developers.gorgias.com/reference/introduction',
    methods: [
      {
        method: 'BASIC',
        fields: [
          text('domain', 'Subdomain', 'The part before .gorgias.com.', SUBDOMAIN),
          text('email', 'User name', 'Settings → REST API.'),
          secret('api_key', 'API key', 'Settings → REST API.'),
        ],
        username: '{email}',
        password: '{api_key}',
      },
    ],
    probe: get('/api/account'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['https://developers.gorgias.com/docs/access-tokens-api-keys'],
      others: [
        'PipedreamHQ/pipedream components/gorgias/gorgias.app.mjs',
        'airbytehq/airbyte airbyte-integrations/connectors/source-gorgias/README.md',
      ],
    },
  }),
  defineApp({
    app: 'freshservice',
    name: 'Freshservice',
    description: 'Tickets, assets and changes of an IT service desk.',
    category: 'support',
    base_url: 'https://{domain}.freshservice.com',
    docs_url: 'https://api.freshservice.com',
    methods: [
      {
        method: 'BASIC',
        fields: [
          text('domain', 'Domain', 'The part before .freshservice.com.', SUBDOMAIN),
          secret('api_key', 'API key', 'Profile settings.'),
        ],
        username: '{api_key}',
        password: 'X',
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/freshservice.go',
        'PipedreamHQ/pipedream components/freshservice/freshservice.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'freshchat',
    name: 'Freshchat',
    description: 'Live chat: conversations, users and agents.',
    category: 'support',
    base_url: 'https://{domain}.freshchat.com',
    docs_url: 'https://developers.freshchat.com/api/',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text('domain', 'Domain', 'The part before .freshchat.com in the chat URL.', SUBDOMAIN),
          secret('api_key', 'API token', 'Admin settings → API tokens.'),
        ],
        put: [{ in: 'header', name: 'Authorization', template: 'Bearer {api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/freshchat.go',
        'PipedreamHQ/pipedream components/freshchat/freshchat.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'zoho-desk',
    name: 'Zoho Desk',
    description: 'Tickets, contacts and articles of a help desk.',
    category: 'support',
    base_url: 'https://desk.zoho.{data_centre}',
    docs_url: 'https://desk.zoho.com/DeskAPIDocument',
    icon: 'siZoho',
    methods: [
      oauth2({
        fields: [
          text(
            'data_centre',
            'Data center',
            'The part after zoho. in the URL when you are signed in: com, eu, in or com.au.',
            'com|eu|in|com\\.au',
          ),
        ],
        authorize_url: 'https://accounts.zoho.{data_centre}/oauth/v2/auth',
        token_url: 'https://accounts.zoho.{data_centre}/oauth/v2/token',
        pkce: false,
        scopes: ['Desk.tickets.READ', 'Desk.tickets.UPDATE', 'Desk.contacts.READ', 'Desk.basic.READ'],
        scope_separator: ',',
        authorize_params: { access_type: 'offline', prompt: 'consent' },
        put: [{ in: 'header', name: 'Authorization', template: 'Zoho-oauthtoken {access_token}' }],
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['simstudioai/sim apps/sim/tools/zoho_desk', 'amp-labs/connectors providers/zoho.go'],
    },
  }),
  defineApp({
    app: 'helpcrunch',
    name: 'HelpCrunch',
    description: 'Live chat, customers and email of a support team.',
    category: 'support',
    base_url: 'https://api.helpcrunch.com',
    docs_url: 'https://docs.helpcrunch.com/en/rest-api-v1',
    methods: [bearerKey(secret('api_key', 'API key', 'Settings → Developers → Public API.'))],
    probe: get('/v1/departments'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/helpcrunch/helpcrunch.go',
        'PipedreamHQ/pipedream components/helpcrunch/helpcrunch.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'crisp',
    name: 'Crisp',
    description: 'Live chat: conversations, visitors and operators of a website.',
    category: 'support',
    base_url: 'https://api.crisp.chat',
    docs_url: 'https://docs.crisp.chat/references/rest-api/v1/',
    default_headers: { 'X-Crisp-Tier': 'plugin' },
    methods: [
      basic(
        text('identifier', 'Identifier', 'Marketplace → your plugin → Tokens.'),
        secret('api_key', 'Key', 'Marketplace → your plugin → Tokens.'),
      ),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: ['crisp-im/node-crisp-api lib/crisp.js'],
      others: ['PipedreamHQ/pipedream components/crisp/crisp.app.mjs'],
    },
  }),
  defineApp({
    app: 'servicenow',
    name: 'ServiceNow',
    description: 'Incidents, requests and any table of an instance.',
    category: 'support',
    base_url: 'https://{instance}.service-now.com',
    docs_url: 'https://developer.servicenow.com/dev.do#!/reference',
    methods: [
      {
        method: 'BASIC',
        fields: [
          text('instance', 'Instance', 'The part before .service-now.com.', SUBDOMAIN),
          text('username', 'User name', null),
          secret('password', 'Password', null),
        ],
        username: '{username}',
        password: '{password}',
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'ansible-collections/servicenow.itsm plugins/module_utils/client.py',
        'simstudioai/sim apps/sim/tools/servicenow',
        'amp-labs/connectors providers/serviceNow.go',
      ],
    },
  }),
];
