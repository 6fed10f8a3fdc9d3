import { defineApp, get, headerKey, secret, text } from '../definition.ts';

const token = headerKey(secret('api_key', 'API key', 'Settings → Developer.'), 'Api-Token');

export const activecampaign = defineApp({
  app: 'activecampaign',
  name: 'ActiveCampaign',
  description: 'Contacts, automations and deals.',
  category: 'marketing',
  base_url: 'https://{host}',
  docs_url: 'https://developers.activecampaign.com/reference/overview',
  methods: [
    {
      ...token,
      fields: [
        text(
          'host',
          'Host',
          'The host of the API URL under Settings → Developer, such as example.api-us1.com.',
          '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
        ),
        ...token.fields,
      ],
    },
  ],
  probe: { ...get('/api/3/users/me'), refusal_status: 403 },
  evidence: {
    verified: '2026-11',
    vendor: ['https://developers.activecampaign.com/reference/url'],
    others: [
      'singer-io/tap-activecampaign tap_activecampaign/client.py',
      'amp-labs/connectors providers/activeCampaign.go',
    ],
  },
});
