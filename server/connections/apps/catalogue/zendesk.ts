import { defineApp, get, hmac, oauth2, secret, text } from '../definition.ts';
import { zendeskEvents } from '../events/business/zendesk.ts';
import { push } from '../source.ts';

const subdomain = text('subdomain', 'Subdomain', 'The part before .zendesk.com.', '[a-z0-9][a-z0-9-]*');

export const zendesk = defineApp({
  app: 'zendesk',
  name: 'Zendesk',
  description: 'Tickets, users and the help center.',
  category: 'support',
  base_url: 'https://{subdomain}.zendesk.com',
  docs_url: 'https://developer.zendesk.com/api-reference/',
  icon: 'siZendesk',
  methods: [
    {
      method: 'BASIC',
      fields: [
        subdomain,
        text('email', 'Email', 'The email address of the agent who owns the token.'),
        secret('api_token', 'API token', 'Admin Center → Apps and integrations → APIs.'),
      ],
      username: '{email}/token',
      password: '{api_token}',
    },
    oauth2({
      fields: [subdomain],
      authorize_url: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
      token_url: 'https://{subdomain}.zendesk.com/oauth/tokens',
      pkce: false,
      scopes: ['read', 'write'],
    }),
  ],
  probe: get('/api/v2/users/me.json'),
  // The timestamp is in RFC 3339 format.
  webhook: hmac({
    header: 'X-Zendesk-Webhook-Signature',
    encoding: 'base64',
    timestamp_header: 'X-Zendesk-Webhook-Signature-Timestamp',
    signed: '{timestamp}{body}',
    docs_url: 'https://developer.zendesk.com/documentation/webhooks/verifying/',
  }),
  source: push({
    secret: 'theirs',
    // zen:event-type:ticket.created, for example.
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: { account: { at: { body: 'account_id' } } },
    steps: [
      'Open Admin Center → Apps and integrations → Webhooks, choose Create webhook and select Zendesk events.',
      'Select the events, enter {url} as Endpoint URL, POST as method and JSON as format, and create it.',
      'Open the webhook, choose Reveal secret, and enter the signing secret here.',
    ],
    docs: {
      verified: 'Zendesk documents no maximum age of the timestamp.',
      samples: 'The user is the example of Zendesk’s documentation, the ticket that of Prismatic’s connector.',
      facts: [
        'https://developer.zendesk.com/documentation/webhooks/verifying/',
        'https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types/',
        'https://prismatic.io/docs/example-payloads/zendesk/triggers/webhook.json',
        'botpress/botpress integrations/zendesk/src/webhookEvents.ts',
      ],
    },
  }),
  event_types: zendeskEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'zendesk/zendesk_api_client_rb README.md',
      'https://developer.zendesk.com/documentation/webhooks/verifying/',
    ],
    others: [
      'trufflesecurity/trufflehog pkg/detectors/zendeskapi/zendeskapi.go',
      'amp-labs/connectors providers/zendesk.go',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
