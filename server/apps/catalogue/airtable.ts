import { bearerKey, defineApp, secret } from '../definition.ts';

export const airtable = defineApp({
  app: 'airtable',
  name: 'Airtable',
  description: 'Tables, bases and their records.',
  category: 'productivity',
  base_url: 'https://api.airtable.com',
  docs_url: 'https://airtable.com/developers/web/api/introduction',
  icon: 'siAirtable',
  methods: [bearerKey(secret('api_key', 'Personal access token', 'Made at airtable.com/create/tokens.'))],
});
