import { defineApp, get, headerKey, oauth2, secret, text } from '../definition.ts';
import { gitlabEvents } from '../events/gitlab.ts';
import { gitlabHooks } from '../hooks/gitlab.ts';
import { gitlabSource, gitlabWebhook } from './gitlab.ts';

const host = text(
  'host',
  'Host',
  'For example gitlab.example.com.',
  '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?',
);
const token = headerKey(
  secret('api_key', 'Access token', 'A personal, group or project access token.'),
  'PRIVATE-TOKEN',
);

export const gitlabSelfManaged = defineApp({
  app: 'gitlab-self-managed',
  name: 'GitLab (self-managed)',
  description: 'Projects, issues, merge requests and pipelines on a self-managed GitLab.',
  category: 'developer',
  base_url: 'https://{host}',
  docs_url: 'https://docs.gitlab.com/api/rest/',
  icon: 'siGitlab',
  methods: [
    { ...token, fields: [host, ...token.fields] },
    oauth2({
      fields: [host],
      authorize_url: 'https://{host}/oauth/authorize',
      token_url: 'https://{host}/oauth/token',
      scopes: ['api'],
    }),
  ],
  probe: get('/api/v4/user'),
  webhook: gitlabWebhook,
  source: gitlabSource,
  hooks: gitlabHooks,
  event_types: gitlabEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['gitlabhq/gitlabhq doc/api/oauth2.md'],
    others: [
      'jdalrymple/gitbeaker packages/requester-utils/src/BaseResource.ts',
      'python-social-auth/social-core social_core/backends/gitlab.py',
      'hookdeck/webhook-skills skills/gitlab-webhooks/SKILL.md',
    ],
  },
});
