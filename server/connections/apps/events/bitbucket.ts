/** Recorded by Zulip's integration (zerver/webhooks/bitbucket2/fixtures), without its links. */
import { eventTypes, parameters } from '../source.ts';

const actor = {
  type: 'user',
  uuid: '{678ab31f-9f88-4d7a-b343-1bdf9f024917}',
  display_name: 'Tomasz',
  username: 'kolaszek',
};
const repository = {
  type: 'repository',
  full_name: 'kolaszek/repository-name',
  uuid: '{59005838-3978-410b-84fd-8b4ce1b41089}',
  name: 'Repository name',
};
const here = { actor, repository: { ...repository, scm: 'git', is_private: true, owner: actor } };

const push = {
  push: {
    changes: [
      {
        forced: false,
        created: true,
        closed: false,
        truncated: false,
        new: {
          type: 'tag',
          name: 'a',
          target: {
            type: 'commit',
            hash: '450118afff93569d1ce362174e9f1a7f104f9166',
            message: 'abc\n',
            author: { raw: 'Tomasz Kolek <tomasz-kolek@go2.pl>' },
            date: '2016-11-09T12:52:38+00:00',
          },
        },
        old: null,
      },
    ],
  },
  ...here,
};
const pullrequest = (state: string) => ({
  pullrequest: {
    type: 'pullrequest',
    id: 1,
    title: 'new commit',
    description: 'description',
    state,
    author: actor,
    source: { repository, commit: { hash: '9c833166dcef' }, branch: { name: 'new-branch' } },
    destination: { repository, commit: { hash: '32c4ea19aa3a' }, branch: { name: 'master' } },
    reviewers: [],
    participants: [],
    reason: '',
    close_source_branch: false,
    comment_count: 0,
    task_count: 0,
    created_on: '2016-07-04T19:15:30.118942+00:00',
    updated_on: '2016-07-04T19:15:30.141038+00:00',
  },
  ...here,
});

export const bitbucketEvents = eventTypes(
  parameters({
    repository: {
      type: 'string',
      title: 'Repository',
      description: 'Only events of this repository, as workspace/repository.',
      pattern: '^[^/\\s]{1,100}/[^/\\s]{1,100}$',
      examples: ['kolaszek/repository-name'],
    },
  }),
  {
    'repo.push': ['Commits or tags were pushed, or a branch or tag was deleted.', push],
    pullrequest: ['Anything that happens to a pull request.', pullrequest('OPEN')],
    'pullrequest.created': ['A pull request was opened.', pullrequest('OPEN')],
    'pullrequest.updated': ['A pull request changed.', pullrequest('OPEN')],
    'pullrequest.fulfilled': ['A pull request was merged.', pullrequest('MERGED')],
    'pullrequest.rejected': ['A pull request was declined.', pullrequest('DECLINED')],
    '*': ['Every event that the webhook sends.', push],
  },
);
