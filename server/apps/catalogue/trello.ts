import { defineApp, secret } from '../definition.ts';

export const trello = defineApp({
  app: 'trello',
  name: 'Trello',
  description: 'Boards, lists and cards.',
  category: 'productivity',
  base_url: 'https://api.trello.com',
  docs_url: 'https://developer.atlassian.com/cloud/trello/rest/',
  icon: 'siTrello',
  methods: [
    {
      method: 'API_KEY',
      fields: [
        secret('api_key', 'API key', 'Power-Up admin → your Power-Up → API key.'),
        secret('token', 'Token', 'Made with the link beside the API key.'),
      ],
      put: [
        { in: 'query', name: 'key', template: '{api_key}' },
        { in: 'query', name: 'token', template: '{token}' },
      ],
    },
  ],
});
