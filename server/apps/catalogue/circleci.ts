import { defineApp, get, headerKey, hmac, secret } from '../definition.ts';

export const circleci = defineApp({
  app: 'circleci',
  name: 'CircleCI',
  description: 'Pipelines, workflows and jobs.',
  category: 'developer',
  base_url: 'https://circleci.com',
  docs_url: 'https://circleci.com/docs/api/v2/',
  icon: 'siCircleci',
  methods: [headerKey(secret('api_key', 'Personal API token', 'User Settings → Personal API Tokens.'), 'Circle-Token')],
  probe: get('/api/v2/me'),
  webhook: hmac({
    header: 'circleci-signature',
    prefix: 'v1=',
    docs_url: 'https://circleci.com/docs/guides/integration/outbound-webhooks/',
  }),
});
