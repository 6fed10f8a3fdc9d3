import {
  type AppDefinition,
  basic,
  bearerKey,
  defineApp,
  get,
  headerKey,
  oauth2,
  secret,
  text,
} from '../../definition.ts';

const SUBDOMAIN = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

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
  defineApp({
    app: 'ringcentral',
    name: 'RingCentral',
    description: 'Calls, SMS, voicemail and meetings of a phone system.',
    category: 'communication',
    base_url: 'https://platform.ringcentral.com',
    docs_url: 'https://developers.ringcentral.com/api-reference',
    methods: [
      oauth2({
        authorize_url: 'https://platform.ringcentral.com/restapi/oauth/authorize',
        token_url: 'https://platform.ringcentral.com/restapi/oauth/token',
        client_auth: 'basic',
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/ringCentral.go',
        'PipedreamHQ/pipedream components/ringcentral/ringcentral.app.mjs',
        'trufflesecurity/trufflehog pkg/detectors/ringcentral/ringcentral.go',
      ],
    },
  }),
  defineApp({
    app: 'aircall',
    name: 'Aircall',
    description: 'Calls, numbers and contacts of a call center.',
    category: 'communication',
    base_url: 'https://api.aircall.io',
    docs_url: 'https://developer.aircall.io/api-references/',
    methods: [
      basic(
        text('api_id', 'API ID', 'Company settings → API keys.'),
        secret('api_token', 'API token', 'Company settings → API keys.'),
      ),
    ],
    probe: get('/v1/company'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/aircall.go',
        'airbytehq/airbyte airbyte-integrations/connectors/source-aircall/source_aircall/manifest.yaml',
      ],
    },
  }),
  defineApp({
    app: 'justcall',
    name: 'JustCall',
    description: 'Calls and SMS of sales and support teams.',
    category: 'communication',
    base_url: 'https://api.justcall.io',
    docs_url: 'https://developer.justcall.io/reference/introduction',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          secret('api_key', 'API key', 'Profile → APIs and webhooks.'),
          secret('api_secret', 'API secret', 'Profile → APIs and webhooks.'),
        ],
        put: [{ in: 'header', name: 'Authorization', template: '{api_key}:{api_secret}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/justCall.go',
        'PipedreamHQ/pipedream components/justcall/justcall.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'zulip',
    name: 'Zulip',
    description: 'Channels, topics and messages of a team chat.',
    category: 'communication',
    base_url: 'https://{domain}.zulipchat.com',
    docs_url: 'https://zulip.com/api/',
    icon: 'siZulip',
    methods: [
      {
        method: 'BASIC',
        fields: [
          text('domain', 'Organization', 'The part before .zulipchat.com.', SUBDOMAIN),
          text('email', 'Email', 'The email address of the user or bot.'),
          secret('api_key', 'API key', 'Settings → Account & privacy, or Settings → Bots.'),
        ],
        username: '{email}',
        password: '{api_key}',
      },
    ],
    probe: get('/api/v1/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/zulipchat/zulipchat.go',
        'PipedreamHQ/pipedream components/zulip/zulip.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'mattermost',
    name: 'Mattermost',
    description: 'Teams, channels and messages of your own chat server.',
    category: 'communication',
    base_url: 'https://{host}',
    docs_url: 'https://developers.mattermost.com/api-documentation/',
    icon: 'siMattermost',
    methods: [
      {
        method: 'API_KEY',
        fields: [
          text(
            'host',
            'Host',
            'The host of your server, such as chat.example.com.',
            '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
          ),
          secret('api_key', 'Personal access token', 'Profile → Security → Personal access tokens.'),
        ],
        put: [{ in: 'header', name: 'Authorization', template: 'Bearer {api_key}' }],
      },
    ],
    probe: get('/api/v4/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/mattermostpersonaltoken/mattermostpersonaltoken.go',
        'automatisch/automatisch packages/backend/src/apps/mattermost',
      ],
    },
  }),
  defineApp({
    app: 'twist',
    name: 'Twist',
    description: 'Threads, channels and messages of a team.',
    category: 'communication',
    base_url: 'https://api.twist.com',
    docs_url: 'https://developer.twist.com/v3/',
    methods: [bearerKey(secret('api_key', 'Access token', 'Your integration → OAuth authentication → Test token.'))],
    probe: get('/api/v3/users/get_session_user'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['Doist/twist-sdk-typescript src/consts/endpoints.ts'],
      others: ['trufflesecurity/trufflehog pkg/detectors/twist/twist.go'],
    },
  }),
];
