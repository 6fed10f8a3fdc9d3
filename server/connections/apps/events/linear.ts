/** The comment is Linear's example; Zulip's integration recorded the rest (zerver/webhooks/linear/fixtures). */
import { eventTypes, parameters } from '../source.ts';

const sent = (action: string, type: string, data: object, url: string, more: object = {}) => ({
  action,
  type,
  createdAt: '2023-04-11T10:10:15.037Z',
  data,
  url,
  ...more,
  organizationId: '7a661544-df08-4cd1-a1e3-5ec611898806',
  webhookTimestamp: 1681207816078,
});

const team = { id: '9e383f51-2629-4f19-97ff-451cc2f0a0ad', key: 'WEB', name: 'Webhooks' };
const issueData = {
  id: '3443a709-f2b5-46f2-a136-a0445fd432be',
  createdAt: '2023-04-11T10:10:15.037Z',
  updatedAt: '2023-04-11T10:10:15.037Z',
  number: 44,
  title: 'This is regarding the outage that we faced during 11/12/22 from 2000 to 2200.',
  priority: 1,
  priorityLabel: 'Urgent',
  startedAt: '2023-04-11T10:10:15.093Z',
  teamId: team.id,
  creatorId: '674c90c8-35ea-454d-8ca4-5548258fd795',
  assignee: { id: '674c90c8-35ea-454d-8ca4-5548258fd795', name: 'Satyam Bansal' },
  state: { id: 'a2530cac-36a0-4b6d-9af0-6357784035d4', color: '#f2c94c', name: 'In Progress', type: 'started' },
  team,
  labels: [{ id: '6e4da2ed-ee8b-4b19-9cf8-40e5603e04c1', color: '#EB5757', name: 'Bug' }],
};
const issueUrl = 'https://linear.app/webhooks/issue/WEB-44/this-is-regarding-the-outage-that-we-faced';
const issue = (action: string, more: object = {}, changed: object = {}) =>
  sent(action, 'Issue', { ...issueData, ...changed }, issueUrl, more);
const renamed = {
  updatedAt: '2023-04-11T10:16:53.022Z',
  title:
    'This is regarding the outage that we faced on 11/12/22 from 2000 to 2200 and also on 25/12/22 from 0000 to 0230',
};
const updated = issue(
  'update',
  { updatedFrom: { updatedAt: '2023-04-11T10:13:05.980Z', title: issueData.title } },
  renamed,
);

const comment = (action: string) => ({
  action,
  data: {
    id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
    createdAt: '2020-01-23T12:53:18.084Z',
    updatedAt: '2020-01-23T12:53:18.084Z',
    archivedAt: null,
    body: 'Indeed, I think this is definitely an improvement over the previous version.',
    edited: false,
    issueId: '539068e2-ae88-4d09-bd75-22eb4a59612f',
    userId: 'aacdca22-6266-4c0a-ab3c-8fa70a26765c',
  },
  type: 'Comment',
  url: 'https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3-fb52-4dad-bb9a-b356beb93de8',
  createdAt: '2020-01-23T12:53:18.084Z',
  organizationId: 'dc844923-f9a4-40a3-825c-dea7747e57d6',
  webhookTimestamp: 1676056940508,
  webhookId: '000042e3-d123-4980-b49f-8e140eef9329',
});
const project = (action: string) =>
  sent(
    action,
    'Project',
    {
      id: '521660ac-782f-4dd9-8928-95dbc9cb4c9b',
      createdAt: '2023-04-11T19:26:16.461Z',
      updatedAt: '2023-04-11T19:26:16.461Z',
      name: 'Q2 Launch',
      description: '',
      slugId: '3d89ec1c20d3',
      state: 'backlog',
      creatorId: '674c90c8-35ea-454d-8ca4-5548258fd795',
      leadId: '674c90c8-35ea-454d-8ca4-5548258fd795',
      teamIds: [team.id],
      memberIds: ['674c90c8-35ea-454d-8ca4-5548258fd795'],
    },
    'https://linear.app/webhooks/project/this-is-just-a-sample-project-to-test-the-working-3d89ec1c20d3',
  );
const projectUpdate = sent(
  'create',
  'ProjectUpdate',
  {
    id: 'bd310e45-6cf9-4452-9fa0-6b73d2b3d9b9',
    createdAt: '2026-06-01T18:23:31.644Z',
    updatedAt: '2026-06-01T18:23:31.644Z',
    body: 'This is a project status update',
    slugId: 'bd310e45',
    projectId: 'a2ad5ab3-4d3a-4381-b587-99f83b886b8e',
    health: 'atRisk',
    userId: 'e825c109-f691-4716-a85f-b68a2626531c',
    project: { id: 'a2ad5ab3-4d3a-4381-b587-99f83b886b8e', name: 'Zulip-terminal' },
  },
  'https://linear.app/zulipdhruv/project/zulip-terminal-5bfd1327f54b/activity#project-update-bd310e45',
);

const ofTeam = parameters({
  team: {
    type: 'string',
    title: 'Team',
    description: 'Only events of the team with this key, such as WEB.',
    pattern: '^[A-Za-z0-9_]{1,20}$',
    examples: ['WEB'],
  },
  team_id: {
    type: 'string',
    title: 'Team ID',
    description: 'Only events of the team with this ID in Linear’s API.',
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    examples: ['9e383f51-2629-4f19-97ff-451cc2f0a0ad'],
  },
});

export const linearEvents = [
  ...eventTypes(ofTeam, {
    Issue: ['Anything that happens to an issue.', issue('create')],
    'Issue.create': ['An issue was created.', issue('create')],
    'Issue.update': ['An issue changed.', updated],
    'Issue.remove': ['An issue was deleted.', issue('remove')],
  }),
  ...eventTypes(parameters({}), {
    Comment: ['A comment was created, changed or deleted.', comment('create')],
    'Comment.create': ['A comment was created.', comment('create')],
    'Comment.update': ['A comment changed.', comment('update')],
    'Comment.remove': ['A comment was deleted.', comment('remove')],
    Project: ['A project was created, changed or deleted.', project('create')],
    'Project.create': ['A project was created.', project('create')],
    'Project.update': ['A project changed.', project('update')],
    'ProjectUpdate.create': ['A project update was posted.', projectUpdate],
    'IssueLabel.create': [
      'A label was made.',
      {
        action: 'create',
        createdAt: '2023-04-11T19:26:16.461Z',
        data: { id: '521660ac-782f-4dd9-8928-95dbc9cb4c9b', name: 'Bug', color: '#e01e5a' },
        type: 'IssueLabel',
        organizationId: '7a661544-df08-4cd1-a1e3-5ec611898806',
        webhookTimestamp: 1681241176588,
      },
    ],
    '*': ['Every event that the webhook sends.', issue('create')],
  }),
];
