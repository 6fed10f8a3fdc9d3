import type { HookApi } from '../hook-api.ts';

const FLAGS = {
  push: ['push_events'],
  tag_push: ['tag_push_events'],
  issue: ['issues_events', 'confidential_issues_events'],
  merge_request: ['merge_requests_events'],
  note: ['note_events', 'confidential_note_events'],
  pipeline: ['pipeline_events'],
  build: ['job_events'],
  deployment: ['deployment_events'],
  release: ['releases_events'],
  wiki_page: ['wiki_page_events'],
};

/** https://docs.gitlab.com/api/project_webhooks/ */
export const gitlabHooks: readonly HookApi[] = [
  {
    needs: ['project'],
    events: { names: { ...FLAGS, '*': Object.values(FLAGS).flat() }, otherwise: 'first' },
    before: null,
    add: {
      method: 'POST',
      path: '/api/v4/projects/{project}/hooks',
      body: { url: '{url}', token: '{secret}', enable_ssl_verification: true, push_events: false, '{events}': true },
    },
    id: { at: 'id' },
    secret: 'sent',
    list: {
      request: { method: 'GET', path: '/api/v4/projects/{project}/hooks?per_page=100', body: null },
      items: '',
      id: { at: 'id' },
      url: 'url',
    },
    remove: { method: 'DELETE', path: '/api/v4/projects/{project}/hooks/{id}', body: null },
    refusedAt: [],
    refusals: {
      403: 'The token is not allowed to manage webhooks there: it needs the scope api, and the role Maintainer in the project.',
      404: 'GitLab did not find the project, or the token has no access to it.',
      422: 'GitLab rejected the URL: only its administrators can allow URLs of a local network.',
    },
  },
];
