/** Payloads as octokit/webhooks collects them from GitHub, without most of their URLs. */
import { eventTypes, parameters } from '../source.ts';
import { branch } from './branch.ts';

const codertocat = { login: 'Codertocat', id: 21031067, html_url: 'https://github.com/Codertocat', type: 'User' };
const octocat = { login: 'octocat', id: 5346, html_url: 'http://github.com/octocat', type: 'User' };
const helloWorld = {
  id: 186853002,
  name: 'Hello-World',
  full_name: 'Codertocat/Hello-World',
  private: false,
  owner: codertocat,
  html_url: 'https://github.com/Codertocat/Hello-World',
  default_branch: 'master',
};
const here = { repository: helloWorld, sender: codertocat };
const bug = { id: 1362934389, name: 'bug', color: 'd73a4a', default: true, description: "Something isn't working" };

const commit = {
  id: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  tree_id: '31b122c26a97cf9af023e9ddab94a82c6e77b0ea',
  distinct: true,
  message: 'Initial commit',
  timestamp: '2019-05-15T15:19:25Z',
  url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  author: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com', username: 'Codertocat' },
  committer: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com', username: 'Codertocat' },
  added: ['README.md'],
  removed: [],
  modified: [],
};
const push = {
  ref: 'refs/heads/master',
  before: '0000000000000000000000000000000000000000',
  after: commit.id,
  ...here,
  pusher: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com' },
  created: true,
  deleted: false,
  forced: false,
  base_ref: null,
  compare: commit.url,
  commits: [commit],
  head_commit: commit,
};

const pull_request = {
  id: 279147437,
  html_url: 'https://github.com/Codertocat/Hello-World/pull/2',
  number: 2,
  state: 'open',
  locked: false,
  title: 'Update the README with new information.',
  user: codertocat,
  body: 'This is a pretty simple change that we need to pull into master.',
  created_at: '2019-05-15T15:20:33Z',
  updated_at: '2019-05-15T15:20:33Z',
  closed_at: null as string | null,
  merged_at: null,
  merge_commit_sha: null as string | null,
  assignees: [codertocat],
  requested_reviewers: [octocat],
  labels: [bug],
  draft: false,
  head: { label: 'Codertocat:changes', ref: 'changes', sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' },
  base: { label: 'Codertocat:master', ref: 'master', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
  author_association: 'OWNER',
};
const counts = { merged: false, comments: 0, commits: 1, additions: 1, deletions: 1, changed_files: 1 };
const pull = (action: string, more: object = {}, changed: Partial<typeof pull_request> = {}) => ({
  action,
  number: 2,
  pull_request: { ...pull_request, ...counts, ...changed },
  ...more,
  ...here,
});
const reviewed = {
  ...pull_request,
  updated_at: '2019-05-15T15:20:38Z',
  merge_commit_sha: 'c4295bd74fb0f4fda03689c3df3f2803b658fd85',
};
const closedPull = {
  state: 'closed',
  updated_at: '2019-05-15T15:21:18Z',
  closed_at: '2019-05-15T15:21:18Z',
  merge_commit_sha: 'c4295bd74fb0f4fda03689c3df3f2803b658fd85',
};

const issue = {
  html_url: 'https://github.com/Codertocat/Hello-World/issues/1',
  id: 444500041,
  number: 1,
  title: 'Spelling error in the README file',
  user: codertocat,
  labels: [bug],
  state: 'open',
  locked: false,
  assignee: codertocat,
  assignees: [codertocat],
  comments: 0,
  created_at: '2019-05-15T15:20:18Z',
  updated_at: '2019-05-15T15:20:18Z',
  closed_at: null as string | null,
  author_association: 'OWNER',
  body: "It looks like you accidently spelled 'commit' with two 't's.",
};
const issues = (action: string, more: object = {}, changed: Partial<typeof issue> = {}) => ({
  action,
  issue: { ...issue, ...changed },
  ...more,
  ...here,
});
const comment = issues('created', {
  comment: {
    html_url: 'https://github.com/Codertocat/Hello-World/issues/1#issuecomment-492700400',
    id: 492700400,
    user: codertocat,
    created_at: '2019-05-15T15:20:21Z',
    updated_at: '2019-05-15T15:20:21Z',
    author_association: 'OWNER',
    body: "You are totally right! I'll get this fixed right away.",
  },
});

const release = {
  action: 'published',
  release: {
    html_url: 'https://github.com/Codertocat/Hello-World/releases/tag/0.0.1',
    id: 17372790,
    tag_name: '0.0.1',
    target_commitish: 'master',
    name: '',
    draft: false,
    author: codertocat,
    prerelease: false,
    created_at: '2019-05-15T15:19:25Z',
    published_at: '2019-05-15T15:20:53Z',
    assets: [],
    tarball_url: 'https://api.github.com/repos/Codertocat/Hello-World/tarball/0.0.1',
    body: '',
  },
  ...here,
};

const octoRepo = {
  id: 300029405,
  name: 'octo-repo',
  full_name: 'octo-org/octo-repo',
  private: false,
  owner: { login: 'octo-org', id: 41548062, html_url: 'https://github.com/octo-org', type: 'Organization' },
  html_url: 'https://github.com/octo-org/octo-repo',
  default_branch: 'master',
};
const workflowRun = (action: string, status: string, conclusion: string | null) => ({
  action,
  workflow: { id: 2823525, name: 'test', path: '.github/workflows/test.yml', state: 'active' },
  workflow_run: {
    id: 289782451,
    name: '',
    event: 'repository_dispatch',
    status,
    conclusion,
    head_branch: 'master',
    head_sha: '3484a3fb816e0859fd6e1cea078d76385ff50625',
    display_title: 'ci(action): update actions/setup-node digest to 8c91899',
    html_url: 'https://github.com/octo-org/octo-repo/actions/runs/289782451',
    run_number: 163,
    run_attempt: 1,
    created_at: '2020-10-05T16:33:24Z',
    run_started_at: '2020-10-05T16:33:49Z',
    workflow_id: 2823525,
    actor: { login: 'Codertocat', id: 15669918, html_url: 'https://github.com/Codertocat', type: 'User' },
  },
  repository: octoRepo,
  organization: { login: 'octo-org', id: 41548062 },
  sender: { login: 'Codertocat', id: 15669918, html_url: 'https://github.com/Codertocat', type: 'User' },
});
const completed = workflowRun('completed', 'completed', 'success');

const check_run = {
  id: 128620228,
  name: 'Octocoders-linter',
  head_sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
  html_url: 'https://github.com/Codertocat/Hello-World/runs/128620228',
  status: 'completed',
  conclusion: 'success',
  started_at: '2019-05-15T15:21:12Z',
  completed_at: '2019-05-15T15:21:12Z',
  app: { id: 29310, name: 'octocoders-linter' },
};
const deployment_status = {
  id: 209916254,
  state: 'success',
  creator: codertocat,
  description: '',
  environment: 'production',
  target_url: '',
  created_at: '2019-05-15T15:20:55Z',
  updated_at: '2019-05-15T15:20:55Z',
};
const deployment = {
  id: 145988746,
  sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e',
  ref: 'master',
  task: 'deploy',
  environment: 'production',
  creator: codertocat,
  created_at: '2019-05-15T15:20:53Z',
};
const discussion = {
  id: 3299614,
  number: 4,
  title: 'TEST edit',
  html_url: 'https://github.com/Codertocat/Hello-World/discussions/4',
  category: { id: 32809314, name: 'General', slug: 'general', is_answerable: false },
  user: codertocat,
  state: 'converting',
  locked: false,
  comments: 0,
  created_at: '2021-03-30T20:09:52Z',
  body: 'TEST edit',
};

const inRepository = (owner: string, repository: string) => ({
  owner: {
    type: 'string',
    title: 'Owner',
    description: 'Only events of repositories of this user or organization.',
    pattern: '^[A-Za-z0-9-]{1,39}$',
    examples: [owner],
  },
  repository: {
    type: 'string',
    title: 'Repository',
    description: 'Only events of this repository, by name or as owner/name.',
    pattern: '^([A-Za-z0-9-]{1,39}/)?[A-Za-z0-9._-]{1,100}$',
    examples: [repository],
  },
});
const ofRepository = parameters(inRepository('Codertocat', 'Hello-World'));

export const githubEvents = [
  ...eventTypes(parameters({ ...inRepository('Codertocat', 'Hello-World'), branch }), {
    push: ['Commits or tags were pushed, or a branch or tag was deleted.', push],
  }),
  ...eventTypes(ofRepository, {
    create: ['A branch or tag was created.', { ref: 'simple-tag', ref_type: 'tag', master_branch: 'master', ...here }],
    delete: ['A branch or tag was deleted.', { ref: 'simple-tag', ref_type: 'tag', pusher_type: 'user', ...here }],
    pull_request: ['Anything that happens to a pull request.', pull('opened')],
    'pull_request.opened': ['A pull request was opened.', pull('opened')],
    'pull_request.closed': ['A pull request was closed, merged or not.', pull('closed', {}, closedPull)],
    'pull_request.synchronize': [
      'Commits were pushed to a pull request.',
      pull('synchronize', { before: pull_request.base.sha, after: pull_request.head.sha }),
    ],
    'pull_request.labeled': ['A label was added to a pull request.', pull('labeled', { label: bug })],
    'pull_request.review_requested': [
      'A review was asked for.',
      pull('review_requested', { requested_reviewer: octocat }),
    ],
    'pull_request_review.submitted': [
      'A review was submitted: approved, commented or changes requested.',
      {
        action: 'submitted',
        review: {
          id: 237895671,
          user: codertocat,
          body: null,
          commit_id: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          submitted_at: '2019-05-15T15:20:38Z',
          state: 'commented',
          html_url: 'https://github.com/Codertocat/Hello-World/pull/2#pullrequestreview-237895671',
        },
        pull_request: reviewed,
        ...here,
      },
    ],
    'pull_request_review_comment.created': [
      'A line of a pull request was commented on.',
      {
        action: 'created',
        comment: {
          id: 284312630,
          path: 'README.md',
          line: 265,
          commit_id: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          user: codertocat,
          body: 'Maybe you should use more emoji on this line.',
          created_at: '2019-05-15T15:20:37Z',
          html_url: 'https://github.com/Codertocat/Hello-World/pull/2#discussion_r284312630',
        },
        pull_request: reviewed,
        ...here,
      },
    ],
    issues: ['Anything that happens to an issue.', issues('opened')],
    'issues.opened': ['An issue was opened.', issues('opened')],
    'issues.closed': [
      'An issue was closed.',
      issues('closed', {}, { state: 'closed', closed_at: '2021-07-05T18:07:10Z' }),
    ],
    'issues.labeled': ['A label was added to an issue.', issues('labeled', { label: bug })],
    'issues.assigned': ['An issue was assigned.', issues('assigned', { assignee: codertocat })],
    'issue_comment.created': ['An issue or pull request was commented on.', comment],
    'release.published': ['A release was published.', release],
    'check_run.completed': ['A check completed.', { action: 'completed', check_run, ...here }],
    deployment_status: [
      'The state of a deployment changed.',
      { action: 'created', deployment_status, deployment, ...here },
    ],
    'discussion.created': ['A discussion was created.', { action: 'created', discussion, ...here }],
    'star.created': ['A repository was starred.', { action: 'created', starred_at: '2019-05-15T15:20:40Z', ...here }],
    fork: [
      'A repository was forked.',
      {
        forkee: { id: 186853261, name: 'Hello-World', full_name: 'Octocoders/Hello-World', private: false },
        ...here,
      },
    ],
  }),
  ...eventTypes(parameters(inRepository('octo-org', 'octo-repo')), {
    workflow_run: ['A workflow run was requested, started or completed.', workflowRun('requested', 'queued', null)],
    'workflow_run.completed': ['A workflow run completed.', completed],
  }),
  ...eventTypes(ofRepository, {
    '*': ['Every event that the webhook sends, including the initial ping.', push],
  }),
];
