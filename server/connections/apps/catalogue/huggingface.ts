import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const huggingface = defineApp({
  app: 'huggingface',
  name: 'Hugging Face',
  description: 'Models, data sets, Spaces and inference.',
  category: 'ai',
  base_url: 'https://huggingface.co',
  docs_url: 'https://huggingface.co/docs/hub/api',
  icon: 'siHuggingface',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Settings → Access Tokens. It starts with hf_.')),
    oauth2({
      authorize_url: 'https://huggingface.co/oauth/authorize',
      token_url: 'https://huggingface.co/oauth/token',
      client_auth: 'basic',
      scopes: ['openid', 'profile', 'read-repos', 'inference-api'],
    }),
  ],
  probe: get('/api/whoami-v2'),
  webhook: {
    signature: { kind: 'token', header: 'X-Webhook-Secret' },
    docs_url: 'https://huggingface.co/docs/hub/webhooks',
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'huggingface/hub-docs docs/hub/oauth.md',
      'huggingface/hub-docs docs/hub/webhooks.md',
      'huggingface/huggingface.js packages/hub/src/lib/who-am-i.ts',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/huggingface.ts',
      'nextauthjs/next-auth packages/core/src/providers/huggingface.ts',
    ],
  },
});
