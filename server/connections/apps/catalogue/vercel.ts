import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';

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
