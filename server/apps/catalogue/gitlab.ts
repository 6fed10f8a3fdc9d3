import { defineApp, get, headerKey, oauth2, secret, type WebhookDefinition } from '../definition.ts';

export const gitlabWebhook: WebhookDefinition = {
  signature: { kind: 'token', header: 'X-Gitlab-Token' },
  docs_url: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
};

export const gitlab = defineApp({
  app: 'gitlab',
  name: 'GitLab',
  description: 'Projects, issues, merge requests and pipelines on gitlab.com.',
  category: 'developer',
  base_url: 'https://gitlab.com',
  docs_url: 'https://docs.gitlab.com/api/rest/',
  icon: 'siGitlab',
  methods: [
    headerKey(secret('api_key', 'Access token', 'Of a person, a group or a project.'), 'PRIVATE-TOKEN'),
    oauth2({
      authorize_url: 'https://gitlab.com/oauth/authorize',
      token_url: 'https://gitlab.com/oauth/token',
      scopes: ['api'],
    }),
  ],
  probe: get('/api/v4/user'),
  webhook: gitlabWebhook,
});
