/** Recorded by Zulip's integration (zerver/webhooks/jira/fixtures), shortened. */
import { eventTypes, parameters } from '../source.ts';

const reporter = { name: 'lfranchi', accountId: '99:27935d01-92a7-4687-8272-a9b8d3b2ae2e', displayName: 'Leo Franchi' };
const issue = (action: string) => ({
  webhookEvent: `jira:${action}`,
  issue_event_type_name: action,
  timestamp: 1364403238369,
  user: { ...reporter, active: true },
  issue: {
    id: '10400',
    key: 'BUG-15',
    fields: {
      summary: 'New bug with hook',
      description: 'Fix me please',
      issuetype: { id: '1', name: 'Bug', subtask: false },
      project: { id: '10000', key: 'BUG', name: 'buggery-test' },
      priority: { id: '3', name: 'Major' },
      status: { id: '1', name: 'Open' },
      reporter,
      assignee: null,
      labels: [],
      resolution: null,
      created: '2013-03-27T16:53:58.301+0000',
      updated: '2013-03-27T16:53:58.301+0000',
    },
  },
});
const author = { name: 'admin', accountId: '5a1b0e47748e770ed11f338c', displayName: 'Eeshan Garg', active: true };
const comment = {
  timestamp: 1546892751184,
  webhookEvent: 'comment_created',
  comment: {
    id: '10000',
    author,
    body: 'Leaving a comment here! :)',
    updateAuthor: author,
    created: '2019-01-07T16:55:51.184-0330',
    updated: '2019-01-07T16:55:51.184-0330',
    jsdPublic: true,
  },
  issue: {
    id: '10000',
    key: 'ZUL-1',
    fields: {
      summary: 'A minor issue',
      issuetype: { id: '10001', name: 'Story', subtask: false },
      project: { id: '10000', key: 'ZUL', name: 'zulipintegrations', projectTypeKey: 'software' },
      assignee: null,
      priority: { id: '3', name: 'Medium' },
      status: { id: '10001', name: 'Backlog' },
    },
  },
};

const inProject = (example: string) =>
  parameters({
    project: {
      type: 'string',
      title: 'Project',
      description: 'Only events of the project with this key, such as BUG.',
      pattern: '^[A-Za-z][A-Za-z0-9_]{1,50}$',
      examples: [example],
    },
  });

export const jiraEvents = [
  ...eventTypes(inProject('BUG'), {
    'jira.issue_created': ['An issue was created.', issue('issue_created')],
    'jira.issue_updated': ['An issue changed.', issue('issue_updated')],
    'jira.issue_deleted': ['An issue was deleted.', issue('issue_deleted')],
  }),
  ...eventTypes(inProject('ZUL'), { comment_created: ['An issue was commented on.', comment] }),
  ...eventTypes(inProject('BUG'), { '*': ['Every event that the webhook sends.', issue('issue_created')] }),
];
