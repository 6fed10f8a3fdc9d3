import { defineApp, get, hmac, oauth2 } from '../definition.ts';

export const xero = defineApp({
  app: 'xero',
  name: 'Xero',
  description: 'Invoices, contacts and accounts of a business.',
  category: 'finance',
  base_url: 'https://api.xero.com',
  docs_url: 'https://developer.xero.com/documentation/api/accounting/overview',
  icon: 'siXero',
  // Calls select an organization with Xero-Tenant-Id; GET /connections lists the organizations.
  methods: [
    oauth2({
      authorize_url: 'https://login.xero.com/identity/connect/authorize',
      token_url: 'https://identity.xero.com/connect/token',
      client_auth: 'basic',
      pkce: false,
      scopes: ['openid', 'profile', 'email', 'offline_access', 'accounting.contacts', 'accounting.settings'],
    }),
  ],
  probe: get('/connections'),
  webhook: hmac({
    header: 'x-xero-signature',
    encoding: 'base64',
    docs_url: 'https://developer.xero.com/documentation/webhooks/configuring-your-server',
  }),
  evidence: {
    verified: '2026-11',
    vendor: [
      'XeroAPI/Xero-OpenAPI xero_accounting.yaml',
      'https://developer.xero.com/documentation/webhooks/configuring-your-server',
    ],
    others: [
      'singer-io/tap-xero tap_xero/client.py',
      'amp-labs/connectors providers/xero.go',
      'https://community.retool.com/t/setting-up-xeros-intent-to-recieve-workflow-for-webhooks/61033',
    ],
  },
});
