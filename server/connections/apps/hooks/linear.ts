import type { HookApi, HookRequest } from '../hook-api.ts';

const ask = (query: string, variables: Exclude<HookRequest['body'], null>): HookRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

const CREATE = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }`;
const DELETE = `mutation ($id: String!) { webhookDelete(id: $id) { success } }`;
const LIST = `query { webhooks(first: 250) { nodes { id url } } }`;

const TEAM = `query ($key: String!) { teams(filter: { key: { eqIgnoreCase: $key } }) { nodes { id } } }`;
const EVERYTHING = ['Issue', 'Comment', 'IssueLabel', 'Project', 'ProjectUpdate', 'Cycle', 'Reaction', 'Attachment'];

/** https://linear.app/developers/webhooks */
const hooks = (
  needs: string[],
  where: Record<string, string | boolean>,
  before: HookApi['before'] = null,
): HookApi => ({
  needs,
  events: { names: { '*': EVERYTHING }, otherwise: 'first' },
  before,
  add: ask(CREATE, { input: { url: '{url}', secret: '{secret}', resourceTypes: '{events}', enabled: true, ...where } }),
  id: { at: 'data.webhookCreate.webhook.id' },
  secret: 'sent',
  list: { request: ask(LIST, {}), items: 'data.webhooks.nodes', id: { at: 'id' }, url: 'url' },
  remove: ask(DELETE, { id: '{id}' }),
  refusedAt: ['errors.0.extensions.userPresentableMessage', 'errors.0.message'],
  refusals: {
    400: 'Only an admin of the workspace can create webhooks; OAuth connections need the scope admin.',
    403: 'Only an admin of the workspace can create webhooks; OAuth connections need the scope admin.',
  },
});

export const linearHooks: readonly HookApi[] = [
  hooks(['team_id'], { teamId: '{team_id}' }),
  hooks(
    ['team'],
    { teamId: '{id_of_team}' },
    { request: ask(TEAM, { key: '{team}' }), take: { id_of_team: 'data.teams.nodes.0.id' } },
  ),
  hooks([], { allPublicTeams: true }),
];
