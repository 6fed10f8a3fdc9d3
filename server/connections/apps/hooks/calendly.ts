import type { HookApi } from '../hook-api.ts';

const INVITEE = ['invitee.created', 'invitee.canceled'];
const OTHERS = ['invitee_no_show.created', 'invitee_no_show.deleted', 'routing_form_submission.created'];

/** https://developer.calendly.com/api-docs/webhook-subscriptions */
export const calendlyHooks: readonly HookApi[] = [
  {
    needs: [],
    events: { names: { invitee: INVITEE, '*': [...INVITEE, ...OTHERS] }, otherwise: 'same' },
    before: {
      request: { method: 'GET', path: '/users/me', body: null },
      take: { organization: 'resource.current_organization' },
    },
    add: {
      method: 'POST',
      path: '/webhook_subscriptions',
      body: {
        url: '{url}',
        events: '{events}',
        organization: '{organization}',
        scope: 'organization',
        signing_key: '{secret}',
      },
    },
    id: { at: 'resource.uri', tail: true },
    secret: 'sent',
    list: {
      request: {
        method: 'GET',
        path: '/webhook_subscriptions?scope=organization&count=100&organization={organization}',
        body: null,
      },
      items: 'collection',
      id: { at: 'uri', tail: true },
      url: 'callback_url',
    },
    remove: { method: 'DELETE', path: '/webhook_subscriptions/{id}', body: null },
    refusedAt: [],
    refusals: {
      403: 'Only an owner or admin of the organization can create its webhooks, on a paid Calendly plan.',
    },
  },
];
