import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { typeformEvents } from '../events/typeform.ts';
import { push } from '../source.ts';

export const typeform = defineApp({
  app: 'typeform',
  name: 'Typeform',
  description: 'Forms and responses.',
  category: 'marketing',
  base_url: 'https://api.typeform.com',
  docs_url: 'https://www.typeform.com/developers/',
  icon: 'siTypeform',
  methods: [
    bearerKey(secret('api_key', 'Personal token', 'Account → Personal tokens.')),
    oauth2({
      authorize_url: 'https://api.typeform.com/oauth/authorize',
      token_url: 'https://api.typeform.com/oauth/token',
      pkce: false,
      scopes: ['accounts:read', 'forms:read', 'responses:read', 'offline'],
    }),
  ],
  probe: get('/me'),
  webhook: hmac({
    header: 'Typeform-Signature',
    encoding: 'base64',
    prefix: 'sha256=',
    docs_url: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'event_type' }],
    id: [{ body: 'event_id' }],
    match: { form: { at: { body: 'form_response.form_id' } } },
    steps: [
      'Open the form in Typeform, choose Connect, then Webhooks, and choose Add a webhook.',
      'Enter {url} as the endpoint and save it.',
      'Choose Edit, enter {secret} as Secret, save, and turn the webhook on.',
    ],
    docs: {
      facts: [
        'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
        'https://actionsflow.github.io/docs/triggers/typeform',
      ],
    },
  }),
  event_types: typeformEvents,
  gateway: { hosts: { eu: 'https://api.eu.typeform.com', 'eu-2': 'https://api.typeform.eu' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'Typeform/js-api-client src/constants/index.ts',
      'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
      'https://www.typeform.com/developers/get-started/mcp/',
    ],
    others: [
      'singer-io/tap-typeform tap_typeform/client.py',
      'amp-labs/connectors providers/typeform.go',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
