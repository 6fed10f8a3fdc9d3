import { defineApp, get, secret, text } from '../definition.ts';

export const mailgun = defineApp({
  app: 'mailgun',
  name: 'Mailgun',
  description: 'Transactional email, routes and mailing lists.',
  category: 'marketing',
  base_url: 'https://{region}.mailgun.net',
  docs_url: 'https://documentation.mailgun.com/docs/mailgun/api-reference/',
  icon: 'siMailgun',
  methods: [
    {
      method: 'BASIC',
      fields: [
        text('region', 'Region', 'api for the US, api.eu for the EU.', '[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?'),
        secret('api_key', 'API key', 'Account settings → API security.'),
      ],
      username: 'api',
      password: '{api_key}',
    },
  ],
  probe: get('/v3/domains'),
  webhook: {
    signature: {
      kind: 'other',
      header: null,
      how: 'signature.signature in the body is the HMAC-SHA256 in hex of signature.timestamp and signature.token.',
    },
    docs_url: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'mailgun/mailgun.js README.md',
      'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
    ],
    others: [
      'trufflesecurity/trufflehog pkg/detectors/mailgun/mailgun.go',
      'https://hookpeekhq.com/blog/mailgun-webhook-signature-verification-gotchas',
    ],
  },
});
