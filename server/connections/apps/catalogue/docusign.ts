import { defineApp, hmac, oauth2, secret, secretFile, text } from '../definition.ts';
import { docusignEvents } from '../events/business/docusign.ts';
import { push } from '../source.ts';

const server = text(
  'server',
  'Server',
  'The first part of the account’s base URI under Apps and Keys, such as na3 or eu.',
  '[a-z0-9]+',
);

export const docusign = defineApp({
  app: 'docusign',
  name: 'Docusign',
  description: 'Envelopes, templates and signatures.',
  category: 'files',
  base_url: 'https://{server}.docusign.net',
  docs_url: 'https://developers.docusign.com/docs/esign-rest-api/reference/',
  methods: [
    oauth2({
      fields: [server],
      authorize_url: 'https://account.docusign.com/oauth/auth',
      token_url: 'https://account.docusign.com/oauth/token',
      client_auth: 'basic',
      scopes: ['signature'],
    }),
    {
      method: 'JWT',
      fields: [
        server,
        secret('integration_key', 'Integration key', 'Apps and Keys → your app.'),
        text('user_id', 'User ID', 'The user to impersonate. The user must have granted consent to the app once.'),
        secretFile('private_key', 'RSA private key', 'Apps and Keys → your app → Generate RSA.'),
      ],
      token: {
        algorithm: 'RS256',
        key: '{private_key}',
        key_encoding: 'pem',
        header: {},
        claims: {
          iss: '{integration_key}',
          sub: '{user_id}',
          aud: 'account.docusign.com',
          scope: 'signature impersonation',
        },
        lives_seconds: 3600,
      },
      exchange: {
        url: 'https://account.docusign.com/oauth/token',
        style: 'rfc7523',
        scopes: [],
        token_name: 'access_token',
        capture: {},
      },
      put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }],
    },
  ],
  webhook: hmac({
    header: 'X-DocuSign-Signature-1',
    encoding: 'base64',
    docs_url:
      'https://www.docusign.com/blog/developers/manually-authenticating-hmac-signatures-docusign-connect-webhook-configurations',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event' }],
    match: { account: { at: { body: 'data.accountId' } } },
    steps: [
      'Open Admin → Connect in Docusign. Create a key under Connect keys and enter it here.',
      'Add a custom configuration with {url} as URL to publish, REST v2.1 as data format and Send Individual Messages as event message delivery mode.',
      'Select the envelope events and Include HMAC signature, and save it.',
    ],
    docs: {
      verified: 'With several keys Docusign sends a header for each; the trigger has the first key.',
      id: 'Docusign’s messages have none, and a repeated one differs in `retryCount`.',
      facts: [
        'https://www.docusign.com/blog/developers/manually-authenticating-hmac-signatures-docusign-connect-webhook-configurations',
        'https://developers.docusign.com/platform/webhooks/connect/json-sim-event-model',
        'https://developers.docusign.com/platform/webhooks/connect/setting-up-hmac',
        'docusign/OpenAPI-Specifications connect.schema-v2.json',
        'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      ],
    },
  }),
  event_types: docusignEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'docusign/docusign-esign-node-client src/ApiClient.js',
      'https://www.docusign.com/blog/developers/manually-authenticating-hmac-signatures-docusign-connect-webhook-configurations',
    ],
    others: [
      'amp-labs/connectors providers/docusign.go',
      'SocialiteProviders/Providers src/DocuSign/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
