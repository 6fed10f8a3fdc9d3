import { bearerKey, defineApp, get, secret } from '../definition.ts';

export const cloudflare = defineApp({
  app: 'cloudflare',
  name: 'Cloudflare',
  description: 'Zones, DNS, Workers and R2.',
  category: 'developer',
  base_url: 'https://api.cloudflare.com',
  docs_url: 'https://developers.cloudflare.com/api/',
  icon: 'siCloudflare',
  methods: [bearerKey(secret('api_key', 'API token', 'My Profile → API Tokens, or Manage Account → API Tokens.'))],
  // The verify endpoint does not accept account tokens.
  probe: get('/client/v4/accounts'),
  gateway: { failure: { path: 'success', success: true, error: 'errors.*.message' } },
  webhook: {
    signature: { kind: 'token', header: 'cf-webhook-auth' },
    docs_url: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'cloudflare/cloudflare-typescript src/client.ts',
      'cloudflare/cloudflare-docs src/content/docs/notifications/get-started/configure-webhooks.mdx',
    ],
    others: [
      'pulumi/pulumi-cloudflare sdk/nodejs/notificationPolicyWebhooks.ts',
      'simstudioai/sim apps/sim/tools/cloudflare/list_zones.ts',
    ],
  },
});
