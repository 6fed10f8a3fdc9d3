import { bearerKey, defineApp, secret } from './definition.ts';

export const airtable = defineApp({
  app: 'airtable',
  name: 'Airtable',
  base_url: 'https://api.airtable.com',
  docs_url: 'https://airtable.com/developers/web/api/introduction',
  methods: [bearerKey(secret('api_key', 'Personal access token', 'Made at airtable.com/create/tokens.'))],
});
