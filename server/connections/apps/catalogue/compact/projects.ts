import { type AppDefinition, basic, bearerKey, defineApp, get, oauth2, secret, text } from '../../definition.ts';

export const projectApps: readonly AppDefinition[] = [
  defineApp({
    app: 'wrike',
    name: 'Wrike',
    description: 'Projects, folders and tasks of a team.',
    category: 'productivity',
    base_url: 'https://www.wrike.com',
    docs_url: 'https://developers.wrike.com',
    methods: [
      oauth2({
        authorize_url: 'https://www.wrike.com/oauth2/authorize',
        token_url: 'https://www.wrike.com/oauth2/token',
        pkce: false,
      }),
    ],
    probe: get('/api/v4/contacts?me=true'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/wrike.go',
        'simov/grant config/oauth.json',
        'PipedreamHQ/pipedream components/wrike/wrike.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'basecamp',
    name: 'Basecamp',
    description: 'Projects, to-dos, messages and card tables of a team.',
    category: 'productivity',
    base_url: 'https://3.basecampapi.com',
    docs_url: 'https://github.com/basecamp/bc3-api',
    icon: 'siBasecamp',
    methods: [
      oauth2({
        authorize_url: 'https://launchpad.37signals.com/authorization/new',
        token_url: 'https://launchpad.37signals.com/authorization/token',
        pkce: false,
        authorize_params: { type: 'web_server' },
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/basecamp.go',
        'simov/grant config/oauth.json',
        'pennersr/django-allauth allauth/socialaccount/providers/basecamp/provider.py',
        'PipedreamHQ/pipedream components/basecamp/basecamp.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'productboard',
    name: 'Productboard',
    description: 'Features, feedback and roadmaps of a product.',
    category: 'productivity',
    base_url: 'https://api.productboard.com',
    docs_url: 'https://developer.productboard.com',
    default_headers: { 'X-Version': '1' },
    methods: [bearerKey(secret('api_key', 'API token', 'Workspace settings → Integrations → Public APIs.'))],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/productBoard.go',
        'PipedreamHQ/pipedream components/productboard/productboard.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'podio',
    name: 'Podio',
    description: 'Workspaces, items and tasks of a team.',
    category: 'productivity',
    base_url: 'https://api.podio.com',
    docs_url: 'https://developers.podio.com/doc',
    methods: [
      oauth2({
        authorize_url: 'https://podio.com/oauth/authorize',
        token_url: 'https://podio.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/user/status'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'python-social-auth/social-core social_core/backends/podio.py',
        'simov/grant config/oauth.json',
        'PipedreamHQ/pipedream components/podio/podio.app.mjs',
        'trufflesecurity/trufflehog pkg/detectors/podio/podio.go',
      ],
    },
  }),
  defineApp({
    app: 'guru',
    name: 'Guru',
    description: 'Cards of a company’s knowledge base.',
    category: 'productivity',
    base_url: 'https://api.getguru.com',
    docs_url: 'https://developer.getguru.com',
    methods: [
      basic(
        text('email', 'Email', 'The email address of the user who owns the token.'),
        secret('api_key', 'User token', 'Settings → Apps and integrations → API access.'),
      ),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/guru.go', 'trufflesecurity/trufflehog pkg/detectors/guru/guru.go'],
    },
  }),
  defineApp({
    app: 'paperform',
    name: 'Paperform',
    description: 'Forms and their submissions.',
    category: 'productivity',
    base_url: 'https://api.paperform.co',
    docs_url: 'https://paperform.readme.io',
    methods: [bearerKey(secret('api_key', 'API key', 'Account → Developer.'))],
    probe: get('/v1/forms'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/paperform/paperform.go',
        'PipedreamHQ/pipedream components/paperform/paperform.app.mjs',
      ],
    },
  }),
];
