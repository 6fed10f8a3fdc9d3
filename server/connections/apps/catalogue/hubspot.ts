import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { hubspotEvents } from '../events/hubspot.ts';
import { push } from '../source.ts';

export const hubspot = defineApp({
  app: 'hubspot',
  name: 'HubSpot',
  description: 'Contacts, companies, deals and marketing.',
  category: 'crm',
  base_url: 'https://api.hubapi.com',
  docs_url: 'https://developers.hubspot.com/docs',
  icon: 'siHubspot',
  methods: [
    bearerKey(secret('api_key', 'Private app access token', 'Private apps → your app → Auth.')),
    oauth2({
      authorize_url: 'https://app.hubspot.com/oauth/authorize',
      token_url: 'https://api.hubapi.com/oauth/v1/token',
      pkce: false,
      scopes: ['oauth'],
    }),
  ],
  probe: get('/account-info/v3/details'),
  // A batch returns 207 with the number of its errors.
  gateway: { failure: { path: 'numErrors', success: 0, error: 'errors.*.message' } },
  webhook: hmac({
    header: 'X-HubSpot-Signature-v3',
    encoding: 'base64',
    timestamp_header: 'X-HubSpot-Request-Timestamp',
    timestamp_unit: 'ms',
    tolerance_seconds: 300,
    signed: '{method}{decoded_url}{body}{timestamp}',
    docs_url: 'https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'subscriptionType' }],
    id: [{ body: 'portalId' }, { body: 'subscriptionId' }, { body: 'eventId' }, { body: 'occurredAt' }],
    match: { account: { at: { body: 'portalId' } }, property: { at: { body: 'propertyName' } } },
    items: true,
    steps: [
      'Open your app in HubSpot, copy the Client secret under Auth and enter it here.',
      'Choose Webhooks and enter {url} as Target URL.',
      'Choose Create subscription for each event that you need, and activate the subscriptions.',
    ],
    docs: {
      id: 'HubSpot does not guarantee that `eventId` is unique.',
      facts: [
        'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
        'HubSpot/hubspot-api-nodejs src/utils/signature.ts',
      ],
    },
  }),
  event_types: hubspotEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'HubSpot/hubspot-api-nodejs src/discovery/oauth/OauthDiscovery.ts',
      'HubSpot/hubspot-api-nodejs src/utils/signature.ts',
    ],
    others: ['nextauthjs/next-auth packages/core/src/providers/hubspot.ts', 'amp-labs/connectors providers/hubspot.go'],
  },
});
