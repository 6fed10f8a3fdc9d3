import { bearerKey, defineApp, get, secret } from '../definition.ts';
import { clerkEvents } from '../events/tools/clerk.ts';
import { push } from '../source.ts';

export const clerk = defineApp({
  app: 'clerk',
  name: 'Clerk',
  description: 'Users, sessions and organizations of an application.',
  category: 'developer',
  base_url: 'https://api.clerk.com',
  docs_url: 'https://clerk.com/docs/reference/backend-api',
  icon: 'siClerk',
  methods: [bearerKey(secret('api_key', 'Secret key', 'Configure → API keys. It starts with sk_.'))],
  probe: get('/v1/users?limit=1'),
  webhook: {
    signature: { kind: 'standard', prefix: 'svix-' },
    docs_url: 'https://clerk.com/docs/guides/development/webhooks/overview',
  },
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ header: 'svix-id' }],
    steps: [
      'Open Configure → Webhooks in the Clerk Dashboard and choose Add Endpoint.',
      'Enter {url} as Endpoint URL, select the events that you need, and create it.',
      'Copy the Signing Secret of the endpoint (it starts with whsec_) and enter it here.',
    ],
    docs: {
      facts: [
        'https://clerk.com/docs/guides/development/webhooks/overview',
        'clerk/javascript packages/backend/src/webhooks.ts',
        'hookdeck/webhook-skills skills/clerk-webhooks/SKILL.md',
      ],
    },
  }),
  event_types: clerkEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['clerk/javascript packages/backend/src/webhooks.ts', 'clerk/javascript packages/backend/src/constants.ts'],
    others: [
      'PipedreamHQ/pipedream components/clerk/clerk.app.mjs',
      'hookdeck/webhook-skills skills/clerk-webhooks/SKILL.md',
    ],
  },
});
