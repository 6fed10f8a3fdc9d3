import { type AppDefinition, defineApp, get, oauth2, secret } from '../../definition.ts';

export const commerceApps: readonly AppDefinition[] = [
  defineApp({
    app: 'lob',
    name: 'Lob',
    description: 'Letters, postcards and verification of addresses.',
    category: 'commerce',
    base_url: 'https://api.lob.com',
    docs_url: 'https://docs.lob.com',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    evidence: {
      verified: '2026-11-28',
      vendor: ['lob/lob-openapi dist/lob-api-bundled.yml'],
      others: ['trufflesecurity/trufflehog pkg/detectors/lob/lob.go'],
    },
  }),
  defineApp({
    app: 'eventbrite',
    name: 'Eventbrite',
    description: 'Events, orders and attendees.',
    category: 'commerce',
    base_url: 'https://www.eventbriteapi.com',
    docs_url: 'https://www.eventbrite.com/platform/api',
    methods: [
      oauth2({
        authorize_url: 'https://www.eventbrite.com/oauth/authorize',
        token_url: 'https://www.eventbrite.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/v3/users/me/'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'automatisch/automatisch packages/backend/src/apps/eventbrite',
        'simov/grant config/oauth.json',
        'trufflesecurity/trufflehog pkg/detectors/eventbrite/eventbrite.go',
      ],
    },
  }),
];
