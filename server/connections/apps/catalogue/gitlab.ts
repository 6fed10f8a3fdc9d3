import { defineApp, get, headerKey, oauth2, secret, type WebhookDefinition } from '../definition.ts';
import { gitlabEvents } from '../events/gitlab.ts';
import { gitlabHooks } from '../hooks/gitlab.ts';
import { push } from '../source.ts';

export const gitlabWebhook: WebhookDefinition = {
  signature: { kind: 'token', header: 'X-Gitlab-Token', also: 'standard' },
  docs_url: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
};

/** Webhooks of projects and groups, on gitlab.com and on self-managed instances. */
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
    'Enter {url} as URL and {secret} as Signing token. Older versions without that field: as Secret token.',
    'Select the triggers for the events that you need, keep SSL verification enabled, and choose Add webhook.',
  ],
  docs: {
    verified: 'GitLab signs only with a signing token.',
    id: 'Redeliveries have the same ID. GitLab before 17.4 sends none, so each request is an event. `X-Gitlab-Event-UUID` is not used, because webhooks that trigger each other share it.',
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
    headerKey(secret('api_key', 'Access token', 'A personal, group or project access token.'), 'PRIVATE-TOKEN'),
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
  gateway: { link_header: true },
  evidence: {
    verified: '2026-11',
    vendor: ['gitlabhq/gitlabhq doc/api/oauth2.md'],
    others: [
      'jdalrymple/gitbeaker packages/requester-utils/src/BaseResource.ts',
      'better-auth/better-auth packages/core/src/social-providers/gitlab.ts',
      'hookdeck/webhook-skills skills/gitlab-webhooks/SKILL.md',
    ],
  },
});
