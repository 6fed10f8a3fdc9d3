import { defineApp, get, secret, text } from '../definition.ts';

export const freshdesk = defineApp({
  app: 'freshdesk',
  name: 'Freshdesk',
  description: 'Tickets, contacts and agents.',
  category: 'support',
  base_url: 'https://{domain}.freshdesk.com',
  docs_url: 'https://developers.freshdesk.com/api/',
  methods: [
    {
      method: 'BASIC',
      fields: [
        text('domain', 'Domain', 'The part before .freshdesk.com.', '[a-z0-9][a-z0-9-]*'),
        secret('api_key', 'API key', 'Profile settings → View API key.'),
      ],
      username: '{api_key}',
      // Any value is accepted.
      password: 'X',
    },
  ],
  probe: get('/api/v2/agents/me'),
  evidence: {
    verified: '2026-11',
    vendor: ['freshdesk/fresh-samples C-Sharp/CreateTicket.cs'],
    others: [
      'sjkingo/python-freshdesk freshdesk/v2/api.py',
      'singer-io/tap-freshdesk tap_freshdesk/client.py',
      'amp-labs/connectors providers/freshdesk.go',
    ],
  },
});
