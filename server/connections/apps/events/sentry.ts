/** The comment is the example of Sentry's documentation; the issue was recorded by Zulip's integration. */
import { eventTypes, parameters } from '../source.ts';

const installation = { uuid: '65027794-169a-4042-80d0-808ece377141' };
const issue = (action: string, status: string) => ({
  action,
  data: {
    issue: {
      id: '1635244907',
      shortId: 'ZULIP-INTEGRATION-TESTING-2',
      title: 'Exception: Custom exception!',
      culprit: '__main__ in <module>',
      level: 'error',
      type: 'error',
      metadata: {
        function: '<module>',
        type: 'Exception',
        value: 'Custom exception!',
        filename: 'trigger-exception.py',
      },
      status,
      statusDetails: {},
      assignedTo: null,
      platform: 'python',
      project: {
        platform: 'python',
        slug: 'zulip-integration-testing',
        id: '5216640',
        name: 'Zulip Integration Testing',
      },
      count: '1',
      userCount: 0,
      firstSeen: '2020-04-28T13:56:05.903736Z',
      lastSeen: '2020-04-28T13:56:05.903736Z',
    },
  },
  installation,
  actor: { type: 'application', id: 'sentry', name: 'Sentry' },
});
const comment = {
  action: 'created',
  data: {
    comment: 'adding a comment',
    project_slug: 'sentry',
    comment_id: 1234,
    issue_id: 100,
    timestamp: '2022-03-02T21:51:44.118160Z',
  },
  installation: { uuid: 'eac5a0ae-60ec-418f-9318-46dc5e7e52ec' },
  actor: { type: 'user', id: 1, name: 'colleen' },
};

const inProject = (example: string) =>
  parameters({
    project: {
      type: 'string',
      title: 'Project',
      description: 'Only events of the project with this slug.',
      pattern: '^[a-z0-9_-]{1,100}$',
      examples: [example],
    },
  });

export const sentryEvents = [
  ...eventTypes(inProject('zulip-integration-testing'), {
    issue: ['Anything that happens to an issue.', issue('created', 'unresolved')],
    'issue.created': ['An issue was created.', issue('created', 'unresolved')],
    'issue.resolved': ['An issue was resolved.', issue('resolved', 'resolved')],
  }),
  ...eventTypes(inProject('sentry'), { 'comment.created': ['An issue was commented on.', comment] }),
  ...eventTypes(parameters({}), {
    '*': ['Every event that the integration sends.', issue('created', 'unresolved')],
  }),
];
