import { atlassian } from '../atlassian.ts';
import { defineApp, get, hmac } from '../definition.ts';
import { jiraEvents } from '../events/jira.ts';
import { push } from '../source.ts';

export const jira = defineApp({
  app: 'jira',
  name: 'Jira',
  description: 'Issues, projects and boards of Jira Cloud.',
  category: 'developer',
  base_url: 'https://api.atlassian.com',
  docs_url: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/',
  icon: 'siJira',
  methods: atlassian('jira', ['read:jira-user', 'read:jira-work', 'write:jira-work']),
  probe: get('/rest/api/3/myself'),
  webhook: hmac({
    header: 'X-Hub-Signature',
    prefix: 'sha256=',
    docs_url: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
  }),
  source: push({
    secret: 'ours',
    // The prefix of names such as jira:issue_created.
    event: [{ body: 'webhookEvent' }],
    id: [{ header: 'X-Atlassian-Webhook-Identifier' }],
    match: { project: { at: { body: 'issue.fields.project.key' }, caseless: true } },
    steps: [
      'As a Jira administrator, open Settings → System → WebHooks and choose Create a WebHook.',
      'Enter {url} as URL and {secret} as Secret.',
      'Select the events that you need, and choose Create.',
    ],
    docs: {
      verified: 'Jira signs only webhooks that an administrator created with a secret.',
      id: 'Redeliveries have the same ID.',
      facts: [
        'https://developer.atlassian.com/cloud/jira/platform/webhooks',
        'https://mrrefactoring.github.io/jira.js/api/interfaces/webhooks.WebhookHeaders.html',
        'zulip/zulip zerver/webhooks/jira/fixtures',
      ],
    },
  }),
  event_types: jiraEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/'],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'MrRefactoring/jira.js README.md',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
