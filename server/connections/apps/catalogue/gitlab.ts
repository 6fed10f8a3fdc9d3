import { defineApp, get, headerKey, oauth2, secret, type WebhookDefinition } from '../definition.ts';
import { gitlabEvents } from '../events/gitlab.ts';
import { gitlabHooks } from '../hooks/gitlab.ts';
import { push } from '../source.ts';

export const gitlabWebhook: WebhookDefinition = {
  signature: { kind: 'token', header: 'X-Gitlab-Token', also: 'standard' },
  docs_url: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
};

/** Of projects and groups, on gitlab.com and elsewhere. */
export const gitlabSource = push({
  secret: 'ours',
  event: [
    [{ body: 'object_kind' }, { body: 'event_name' }],
    [
      { body: 'object_attributes.action' },
      { body: 'object_attributes.status' },
      { body: 'action' },
      { body: 'status' },
      { body: 'build_status' },
    ],
  ],
  id: [{ header: 'Idempotency-Key' }],
  match: {
    project: {
      at: [{ body: 'project.path_with_namespace' }, { body: 'path_with_namespace' }, { body: 'project.id' }],
      caseless: true,
    },
    branch: { at: { body: 'ref' }, prefix: 'refs/heads/' },
  },
  steps: [
    'Open Settings → Webhooks of the project or group and choose Add new webhook.',
    'Enter {url} as URL and {secret} as Signing token; where there is no such field yet, as Secret token.',
    'Choose the triggers that you wait for, leave SSL verification on, and choose Add webhook.',
  ],
  docs: {
    verified: 'GitLab signs where the secret is entered as the signing token of the webhook.',
    id: 'The same when it is sent again. GitLab before 17.4 sends none: then each request is an event. `X-Gitlab-Event-UUID` is not used: webhooks that cause one another share it.',
    facts: [
      'https://docs.gitlab.com/user/project/integrations/webhooks/',
      'gitlabhq/gitlabhq doc/user/project/integrations/webhook_events.md',
      'https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944',
    ],
  },
});

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
  source: gitlabSource,
  hooks: gitlabHooks,
  event_types: gitlabEvents,
  evidence: {
    vendor: ['gitlabhq/gitlabhq doc/api/oauth2.md'],
    others: [
      'jdalrymple/gitbeaker packages/requester-utils/src/BaseResource.ts',
      'better-auth/better-auth packages/core/src/social-providers/gitlab.ts',
      'hookdeck/webhook-skills skills/gitlab-webhooks/SKILL.md',
    ],
  },
});
