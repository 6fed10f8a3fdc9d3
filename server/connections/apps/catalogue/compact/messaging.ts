import { type AppDefinition, basic, bearerKey, defineApp, get, headerKey, secret, text } from '../../definition.ts';

const signalwire = basic(text('project_id', 'Project ID', 'Your space → API.'), secret('api_token', 'API token', null));

export const messagingApps: readonly AppDefinition[] = [
  defineApp({
    app: 'clicksend',
    name: 'ClickSend',
    description: 'Text messages, voice calls and letters.',
    category: 'communication',
    base_url: 'https://rest.clicksend.com',
    docs_url: 'https://developers.clicksend.com',
    methods: [basic(text('username', 'User name', null), secret('api_key', 'API key', 'Dashboard → API credentials.'))],
    probe: get('/v3/account'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/clicksendsms/clicksendsms.go',
        'novuhq/novu packages/providers/src/lib/sms/clicksend/clicksend.provider.ts',
        'activepieces/activepieces packages/pieces/community/clicksend/src/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'telnyx',
    name: 'Telnyx',
    description: 'Text messages, calls and phone numbers.',
    category: 'communication',
    base_url: 'https://api.telnyx.com',
    docs_url: 'https://developers.telnyx.com',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/v2/balance'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/telnyx/telnyx.go',
        'activepieces/activepieces packages/pieces/community/telnyx/src/index.ts',
      ],
    },
  }),
  defineApp({
    app: 'messagebird',
    name: 'MessageBird',
    description: 'Text messages, voice calls and phone numbers.',
    category: 'communication',
    base_url: 'https://rest.messagebird.com',
    docs_url: 'https://developers.messagebird.com/api/',
    methods: [
      headerKey(secret('api_key', 'Access key', 'Developers → API access.'), 'Authorization', 'AccessKey {api_key}'),
    ],
    probe: get('/balance'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['messagebird/messagebird-nodejs lib/messagebird.js'],
      others: ['trufflesecurity/trufflehog pkg/detectors/messagebird/messagebird.go'],
    },
  }),
  defineApp({
    app: 'plivo',
    name: 'Plivo',
    description: 'Text messages and voice calls.',
    category: 'communication',
    base_url: 'https://api.plivo.com',
    docs_url: 'https://www.plivo.com/docs/',
    methods: [basic(text('auth_id', 'Auth ID', 'Console → Overview.'), secret('auth_token', 'Auth token', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['plivo/plivo-node lib/rest/axios.js'],
      others: ['trufflesecurity/trufflehog pkg/detectors/plivo/plivo.go'],
    },
  }),
  defineApp({
    app: 'bulksms',
    name: 'BulkSMS',
    description: 'Text messages to many recipients.',
    category: 'communication',
    base_url: 'https://api.bulksms.com',
    docs_url: 'https://www.bulksms.com/developer/json/v1/',
    methods: [
      basic(
        text(
          'token_id',
          'Token identifier',
          'Settings → Developer settings → API tokens. The part that is not secret.',
          '[A-Za-z0-9-]+',
        ),
        secret('token_secret', 'Token secret', null),
      ),
    ],
    probe: get('/v1/profile'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/bulksms/bulksms.go',
        'novuhq/novu packages/providers/src/lib/sms/bulk-sms/bulk-sms.provider.ts',
      ],
    },
  }),
  defineApp({
    app: 'signalwire',
    name: 'SignalWire',
    description: 'Text messages, voice and video calls.',
    category: 'communication',
    base_url: 'https://{space}.signalwire.com',
    docs_url: 'https://developer.signalwire.com',
    methods: [
      {
        ...signalwire,
        fields: [
          text('space', 'Space', 'The part before .signalwire.com.', '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'),
          ...signalwire.fields,
        ],
      },
    ],
    probe: get('/api/laml/2010-04-01/Accounts'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/signalwire/signalwire.go',
        'automatisch/automatisch packages/backend/src/apps/signalwire',
      ],
    },
  }),
  defineApp({
    app: 'whatsapp',
    name: 'WhatsApp Business',
    description: 'Messages and templates of a business number: the Cloud API.',
    category: 'communication',
    base_url: 'https://graph.facebook.com',
    docs_url: 'https://developers.facebook.com/docs/whatsapp/cloud-api',
    icon: 'siWhatsapp',
    methods: [bearerKey(secret('api_key', 'Access token', 'Your Meta app → WhatsApp → API setup, or a system user.'))],
    probe: get('/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'simstudioai/sim apps/sim/tools/whatsapp',
        'novuhq/novu packages/providers/src/lib/chat/whatsapp-business/whatsapp-business.provider.ts',
      ],
    },
  }),
  defineApp({
    app: 'courier',
    name: 'Courier',
    description: 'Notifications by email, text message and push.',
    category: 'communication',
    base_url: 'https://api.courier.com',
    docs_url: 'https://www.courier.com/docs/reference/intro',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    gateway: { hosts: { eu: 'https://api.eu.courier.com' } },
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/courier/courier.go',
        'segmentio/action-destinations packages/destination-actions/src/destinations/courier/index.ts',
      ],
    },
  }),
];
