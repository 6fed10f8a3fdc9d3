import { defineApp, hmac, oauth2 } from '../definition.ts';
import { quickbooksEvents } from '../events/business/quickbooks.ts';
import { push } from '../source.ts';

export const quickbooks = defineApp({
  app: 'quickbooks',
  name: 'QuickBooks',
  description: 'Invoices, customers and accounts of a company.',
  category: 'finance',
  base_url: 'https://quickbooks.api.intuit.com',
  docs_url: 'https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/account',
  icon: 'siQuickbooks',
  methods: [
    oauth2({
      authorize_url: 'https://appcenter.intuit.com/connect/oauth2',
      token_url: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
      client_auth: 'basic',
      pkce: false,
      scopes: ['com.intuit.quickbooks.accounting'],
    }),
  ],
  webhook: hmac({
    header: 'intuit-signature',
    encoding: 'base64',
    docs_url: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: { company: { at: { body: 'intuitaccountid' } } },
    items: true,
    steps: [
      'Open your app in the Intuit Developer Portal and choose Webhooks.',
      'Enter {url} as endpoint URL, select the entities and operations, and save it.',
      'Choose Show verifier token, and enter the token here.',
    ],
    docs: {
      verified: 'QuickBooks sends CloudEvents. The format that ended in 2026 (`eventNotifications`) is not read.',
      samples: '`data` is empty: QuickBooks sends only what changed. Read the entity through the gateway.',
      facts: [
        'https://blogs.intuit.com/2025/11/12/upcoming-change-to-webhooks-payload-structure/',
        'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications',
        'https://www.maesn.com/blog/quickbooks-webhooks-cloudevents',
      ],
    },
  }),
  event_types: quickbooksEvents,
  gateway: { hosts: { sandbox: 'https://sandbox-quickbooks.api.intuit.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'intuit/oauth-jsclient src/OAuthClient.js',
      'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications',
      'https://developer.intuit.com/app/developer/qbo/docs/get-started/create-a-request',
    ],
    others: [
      'amp-labs/connectors providers/quickbooks.go',
      'pennersr/django-allauth allauth/socialaccount/providers/quickbooks/views.py',
      'https://stackoverflow.com/questions/63216840',
    ],
  },
});
