import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { vercelEvents } from '../events/business/vercel.ts';
import { push } from '../source.ts';

export const vercel = defineApp({
  app: 'vercel',
  name: 'Vercel',
  description: 'Projects, deployments and domains.',
  category: 'developer',
  base_url: 'https://api.vercel.com',
  docs_url: 'https://vercel.com/docs/rest-api',
  icon: 'siVercel',
  methods: [bearerKey(secret('api_key', 'Access token', 'Account Settings → Tokens.'))],
  probe: get('/v2/user'),
  webhook: hmac({
    header: 'x-vercel-signature',
    algorithm: 'sha1',
    docs_url: 'https://vercel.com/docs/webhooks/webhooks-api',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: { project: { at: { body: 'payload.project.id' } } },
    steps: [
      'Open your team’s Settings → Webhooks in Vercel (Pro and Enterprise plans).',
      'Select the events and projects, enter {url} as Endpoint URL, and choose Create Webhook.',
      'Vercel shows the secret once. Copy it and enter it here. Webhooks of an integration are signed with its client secret.',
    ],
    docs: {
      samples: 'Recorded by Sentry’s integration; other types are in the state that the event reports.',
      facts: [
        'https://vercel.com/docs/webhooks/webhooks-api',
        'getsentry/sentry src/sentry/integrations/vercel/webhook.py',
        'hookdeck/webhook-skills skills/vercel-webhooks/references/verification.md',
      ],
    },
  }),
  event_types: vercelEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['vercel/sdk src/funcs/userGetAuthUser.ts'],
    others: [
      'simstudioai/sim apps/sim/tools/vercel/get_user.ts',
      'hookdeck/webhook-skills skills/vercel-webhooks/SKILL.md',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
