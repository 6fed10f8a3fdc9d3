import type { HookApi, HookRequest } from '../hook-api.ts';

const ask = (query: string, variables: Exclude<HookRequest['body'], null>): HookRequest => ({
  method: 'POST',
  path: '/admin/api/2026-07/graphql.json',
  body: { query, variables },
});

const CREATE = `mutation ($topic: WebhookSubscriptionTopic!, $hook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $hook) { webhookSubscription { id } userErrors { message } }
}`;
const DELETE = `mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { userErrors { message } } }`;
const LIST = `query { webhookSubscriptions(first: 250) { nodes { id uri } } }`;

/** https://shopify.dev/docs/api/admin-graphql/latest/mutations/webhookSubscriptionCreate */
export const shopifyHooks: readonly HookApi[] = [
  {
    needs: [],
    // A subscription is for one topic.
    events: { otherwise: 'capitals', without: ['*'] },
    before: null,
    add: ask(CREATE, { topic: '{event}', hook: { uri: '{url}', format: 'JSON' } }),
    id: { at: 'data.webhookSubscriptionCreate.webhookSubscription.id' },
    // Shopify always signs with the client secret of the app that the token belongs to.
    secret: 'kept',
    list: { request: ask(LIST, {}), items: 'data.webhookSubscriptions.nodes', id: { at: 'id' }, url: 'uri' },
    remove: ask(DELETE, { id: '{id}' }),
    refusedAt: [
      'errors.0.message',
      'errors',
      'data.webhookSubscriptionCreate.userErrors.0.message',
      'data.webhookSubscriptionDelete.userErrors.0.message',
    ],
    refusals: {
      403: 'The token is not allowed to read the data of these events: the app needs the scope of their topic.',
    },
  },
];
