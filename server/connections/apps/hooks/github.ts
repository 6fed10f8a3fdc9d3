import type { HookApi, HookRequest } from '../hook-api.ts';

const add = (path: string): HookRequest => ({
  method: 'POST',
  path,
  body: {
    name: 'web',
    active: true,
    events: '{events}',
    config: { url: '{url}', content_type: 'json', secret: '{secret}', insecure_ssl: '0' },
  },
});

/** https://docs.github.com/en/rest/repos/webhooks and https://docs.github.com/en/rest/orgs/webhooks */
const hooksOf = (needs: string[], at: string, scope: string, permission: string): HookApi => ({
  needs,
  events: { otherwise: 'first' },
  before: null,
  add: add(at),
  id: { at: 'id' },
  secret: 'sent',
  list: {
    request: { method: 'GET', path: `${at}?per_page=100`, body: null },
    items: '',
    id: { at: 'id' },
    url: 'config.url',
  },
  remove: { method: 'DELETE', path: `${at}/{id}`, body: null },
  refusedAt: [],
  refusals: {
    403: `The connection is not allowed to manage webhooks there: it needs the scope ${scope}, or the permission ${permission}.`,
    404: `GitHub did not find it, or the connection is not allowed to read its webhooks: it needs the scope ${scope}, or the permission ${permission}.`,
  },
});

export const githubHooks: readonly HookApi[] = [
  hooksOf(
    ['owner', 'repository'],
    '/repos/{owner}/{repository}/hooks',
    'admin:repo_hook',
    'Webhooks (write) of the repository',
  ),
  hooksOf(['owner'], '/orgs/{owner}/hooks', 'admin:org_hook', 'Webhooks (write) of the organization'),
];
