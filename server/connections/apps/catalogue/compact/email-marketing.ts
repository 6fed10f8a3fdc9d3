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

/** The host of an own instance. */
const HOST = '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}';
const braze = bearerKey(secret('api_key', 'API key', null));
const emailbison = bearerKey(secret('api_key', 'API key', null));

export const emailMarketingApps: readonly AppDefinition[] = [
  defineApp({
    app: 'constant-contact',
    name: 'Constant Contact',
    description: 'Contacts, lists and email campaigns.',
    category: 'marketing',
    base_url: 'https://api.cc.email',
    docs_url: 'https://developer.constantcontact.com/api_guide/index.html',
    methods: [
      oauth2({
        authorize_url: 'https://authz.constantcontact.com/oauth2/default/v1/authorize',
        token_url: 'https://authz.constantcontact.com/oauth2/default/v1/token',
        pkce: false,
        client_auth: 'basic',
        scopes: ['contact_data', 'offline_access'],
      }),
    ],
    probe: get('/v3/account/user/privileges'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/constantContact.go',
        'activepieces/activepieces packages/pieces/community/constant-contact/src/lib/auth.ts',
      ],
    },
  }),
  defineApp({
    app: 'getresponse',
    name: 'GetResponse',
    description: 'Contacts, newsletters and automation of email.',
    category: 'marketing',
    base_url: 'https://api.getresponse.com',
    docs_url: 'https://apireference.getresponse.com',
    methods: [
      headerKey(secret('api_key', 'API key', null), 'X-Auth-Token', 'api-key {api_key}'),
      oauth2({
        authorize_url: 'https://app.getresponse.com/oauth2_authorize.html',
        token_url: 'https://api.getresponse.com/v3/token',
        pkce: false,
        client_auth: 'basic',
      }),
    ],
    probe: get('/v3/accounts'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/getResponse.go',
        'trufflesecurity/trufflehog pkg/detectors/getresponse/getresponse.go',
        'activepieces/activepieces packages/pieces/community/getresponse/src/lib/common/auth.ts',
      ],
    },
  }),
  defineApp({
    app: 'customer-io',
    name: 'Customer.io',
    description: 'Customers, segments, campaigns and transactional messages: the App API.',
    category: 'marketing',
    base_url: 'https://api.customer.io',
    docs_url: 'https://customer.io/docs/api/app/',
    methods: [bearerKey(secret('api_key', 'App API key', 'Account settings → API credentials → App API keys.'))],
    gateway: { hosts: { eu: 'https://api-eu.customer.io' } },
    evidence: {
      verified: '2026-11-28',
      vendor: ['customerio/customerio-node lib/regions.ts'],
      others: [
        'amp-labs/connectors providers/customer.go',
        'activepieces/activepieces packages/pieces/community/customer-io/src/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'customer-io-track',
    name: 'Customer.io Track',
    description: 'Customers and their events: the Track API.',
    category: 'marketing',
    base_url: 'https://track.customer.io',
    docs_url: 'https://customer.io/docs/api/track/',
    methods: [
      basic(
        text('site_id', 'Site ID', 'Account settings → API credentials → Track API keys.'),
        secret('api_key', 'Track API key', null),
      ),
    ],
    gateway: { hosts: { eu: 'https://track-eu.customer.io' } },
    evidence: {
      verified: '2026-11-28',
      vendor: ['customerio/customerio-node lib/regions.ts'],
      others: [
        'amp-labs/connectors providers/customer.go',
        'segmentio/action-destinations packages/destination-actions/src/destinations/customerio/index.ts',
        'trufflesecurity/trufflehog pkg/detectors/customerio/customerio.go',
        'activepieces/activepieces packages/pieces/community/customer-io/src/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'mailerlite',
    name: 'MailerLite',
    description: 'Subscribers, groups and email campaigns.',
    category: 'marketing',
    base_url: 'https://connect.mailerlite.com',
    docs_url: 'https://developers.mailerlite.com/docs/',
    methods: [bearerKey(secret('api_key', 'API token', 'Integrations → API.'))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['mailerlite/mailerlite-nodejs src/index.ts'],
      others: ['automatisch/automatisch packages/backend/src/apps/mailerlite'],
    },
  }),
  defineApp({
    app: 'sparkpost',
    name: 'SparkPost',
    description: 'Transactional email and its events.',
    category: 'marketing',
    base_url: 'https://api.sparkpost.com',
    docs_url: 'https://developers.sparkpost.com/api/',
    icon: 'siSparkpost',
    methods: [headerKey(secret('api_key', 'API key', null), 'Authorization')],
    gateway: { hosts: { eu: 'https://api.eu.sparkpost.com' } },
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/sparkpost/sparkpost.go',
        'novuhq/novu packages/providers/src/lib/email/sparkpost/sparkpost.provider.ts',
      ],
    },
  }),
  defineApp({
    app: 'mailjet',
    name: 'Mailjet',
    description: 'Transactional email, contacts and campaigns.',
    category: 'marketing',
    base_url: 'https://api.mailjet.com',
    docs_url: 'https://dev.mailjet.com/email/reference/',
    methods: [
      basic(
        secret('api_key', 'API key', 'Account settings → API key management.'),
        secret('secret_key', 'Secret key', null),
      ),
    ],
    probe: get('/v3/REST/message'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['mailjet/mailjet-apiv3-nodejs lib/request/index.ts'],
      others: ['trufflesecurity/trufflehog pkg/detectors/mailjetbasicauth/mailjetbasicauth.go'],
    },
  }),
  defineApp({
    app: 'moosend',
    name: 'Moosend',
    description: 'Mailing lists, subscribers and campaigns.',
    category: 'marketing',
    base_url: 'https://api.moosend.com',
    docs_url: 'https://docs.moosend.com',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'apikey', template: '{api_key}' }],
      },
    ],
    probe: get('/v3/lists.json'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/moosend/moosend.go',
        'activepieces/activepieces packages/pieces/community/moosend/src/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'elastic-email',
    name: 'Elastic Email',
    description: 'Transactional email, contacts and campaigns.',
    category: 'marketing',
    base_url: 'https://api.elasticemail.com',
    docs_url: 'https://elasticemail.com/developers/api-documentation/rest-api',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-ElasticEmail-ApiKey')],
    evidence: {
      verified: '2026-11-28',
      vendor: ['ElasticEmail/elasticemail-js src/ApiClient.js'],
      others: ['activepieces/activepieces packages/pieces/community/elastic-email/src/index.ts'],
    },
  }),
  defineApp({
    app: 'omnisend',
    name: 'Omnisend',
    description: 'Contacts, campaigns and events of an online shop.',
    category: 'marketing',
    base_url: 'https://api.omnisend.com',
    docs_url: 'https://api-docs.omnisend.com',
    methods: [headerKey(secret('api_key', 'API key', null), 'X-API-KEY')],
    evidence: {
      verified: '2026-11-28',
      vendor: ['https://api-docs.omnisend.com/v5/reference'],
      others: ['activepieces/activepieces packages/pieces/community/omnisend/src/lib/common/client.ts'],
    },
  }),
  defineApp({
    app: 'kit',
    name: 'Kit',
    description: 'Subscribers, forms, sequences and broadcasts of creators.',
    category: 'marketing',
    base_url: 'https://api.kit.com',
    docs_url: 'https://developers.kit.com',
    icon: 'siKit',
    methods: [headerKey(secret('api_key', 'V4 API key', 'Settings → Developer → V4 keys.'), 'X-Kit-Api-Key')],
    probe: get('/v4/account'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['https://developers.kit.com/api-reference/v5/ping/check-your-credentials'],
      others: ['amp-labs/connectors providers/kit.go'],
    },
  }),
  defineApp({
    app: 'iterable',
    name: 'Iterable',
    description: 'Users, events, lists and campaigns.',
    category: 'marketing',
    base_url: 'https://api.iterable.com',
    docs_url: 'https://api.iterable.com/api/docs',
    methods: [headerKey(secret('api_key', 'API key', null), 'Api-Key')],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/iterable.go',
        'segmentio/action-destinations packages/destination-actions/src/destinations/iterable/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'braze',
    name: 'Braze',
    description: 'Users, events, campaigns and messages.',
    category: 'marketing',
    base_url: 'https://{host}',
    docs_url: 'https://www.braze.com/docs/api/home',
    methods: [
      {
        ...braze,
        fields: [
          text(
            'host',
            'REST endpoint',
            'The host of your instance, such as rest.iad-01.braze.com or rest.fra-01.braze.eu.',
            HOST,
          ),
          ...braze.fields,
        ],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/braze.go',
        'segmentio/action-destinations packages/destination-actions/src/destinations/braze/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'drip',
    name: 'Drip',
    description: 'Subscribers, campaigns and workflows of an online shop.',
    category: 'marketing',
    base_url: 'https://api.getdrip.com',
    docs_url: 'https://developer.drip.com',
    methods: [
      oauth2({
        authorize_url: 'https://www.getdrip.com/oauth/authorize',
        token_url: 'https://www.getdrip.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/v2/user'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/drip.go',
        'pennersr/django-allauth allauth/socialaccount/providers/drip/views.py',
      ],
    },
  }),
  defineApp({
    app: 'loops',
    name: 'Loops',
    description: 'Contacts, events and transactional email of a product.',
    category: 'marketing',
    base_url: 'https://app.loops.so',
    docs_url: 'https://loops.so/docs/api-reference/intro',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/api/v1/api-key'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/loops',
        'segmentio/action-destinations packages/destination-actions/src/destinations/loops/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'smartlead',
    name: 'Smartlead',
    description: 'Campaigns, leads and mailboxes of cold email.',
    category: 'marketing',
    base_url: 'https://server.smartlead.ai',
    docs_url: 'https://api.smartlead.ai',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'api_key', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/smartlead.go', 'simstudioai/sim apps/sim/tools/smartlead/utils.ts'],
    },
  }),
  defineApp({
    app: 'emailbison',
    name: 'EmailBison',
    description: 'Campaigns, leads and replies of cold email.',
    category: 'marketing',
    base_url: 'https://{host}',
    docs_url: 'https://docs.emailbison.com',
    methods: [
      { ...emailbison, fields: [text('host', 'Host', 'The domain of your instance.', HOST), ...emailbison.fields] },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/emailBison.go', 'simstudioai/sim apps/sim/tools/emailbison/utils.ts'],
    },
  }),
  defineApp({
    app: 'dub',
    name: 'Dub',
    description: 'Short links, their clicks and conversions.',
    category: 'marketing',
    base_url: 'https://api.dub.co',
    docs_url: 'https://dub.co/docs/api-reference/introduction',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['dubinc/dub-node src/lib/config.ts'],
      others: [
        'simstudioai/sim apps/sim/tools/dub',
        'segmentio/action-destinations packages/destination-actions/src/destinations/dub/index.ts',
      ],
    },
  }),
];
