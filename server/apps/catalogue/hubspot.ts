import { bearerKey, defineApp, secret } from '../definition.ts';

export const hubspot = defineApp({
  app: 'hubspot',
  name: 'HubSpot',
  description: 'Contacts, companies, deals and marketing.',
  category: 'crm',
  base_url: 'https://api.hubapi.com',
  docs_url: 'https://developers.hubspot.com/docs',
  icon: 'siHubspot',
  methods: [bearerKey(secret('api_key', 'Private app access token', 'The access token of a private app.'))],
});
