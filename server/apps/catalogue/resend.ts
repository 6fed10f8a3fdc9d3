import { bearerKey, defineApp, secret } from '../definition.ts';

export const resend = defineApp({
  app: 'resend',
  name: 'Resend',
  description: 'E-mail sent by developers.',
  category: 'marketing',
  base_url: 'https://api.resend.com',
  docs_url: 'https://resend.com/docs/api-reference/introduction',
  icon: 'siResend',
  // No probe: a key that may only send is refused everything else.
  methods: [bearerKey(secret('api_key', 'API key', 'Made under API keys. It starts with re_.'))],
  webhook: {
    signature: { kind: 'standard', prefix: 'svix-' },
    docs_url: 'https://resend.com/docs/webhooks/verify-webhooks-requests',
  },
});
