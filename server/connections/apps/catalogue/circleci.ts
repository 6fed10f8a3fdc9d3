import { defineApp, get, headerKey, hmac, secret } from '../definition.ts';
import { circleciEvents } from '../events/circleci.ts';
import { push } from '../source.ts';

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
  source: push({
    secret: 'ours',
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: {
      branch: { at: [{ body: 'pipeline.vcs.branch' }, { body: 'pipeline.trigger_parameters.git.branch' }] },
      outcome: { at: [{ body: 'job.status' }, { body: 'workflow.status' }] },
    },
    steps: [
      'Open Project Settings → Webhooks in CircleCI and choose Add Webhook.',
      'Enter {url} as Receiver URL and {secret} as Secret token, and keep certificate verification enabled.',
      'Choose the events that you need, and save.',
    ],
    docs: {
      verified: 'The header can contain several values, separated by commas.',
      facts: [
        'circleci/circleci-docs docs/reference/modules/ROOT/pages/outbound-webhooks-reference.adoc',
        'api-evangelist/circleci asyncapi/circleci-webhooks.yml',
      ],
    },
  }),
  event_types: circleciEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'circleci/circleci-docs docs/guides/modules/integration/pages/outbound-webhooks.adoc',
      'circleci/circleci-docs docs/guides/modules/toolkit/pages/api-developers-guide.adoc',
    ],
    others: ['trufflesecurity/trufflehog pkg/detectors/circleci/v1/circleci.go'],
  },
});
