import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';

export const paddle = defineApp({
  app: 'paddle',
  name: 'Paddle',
  description: 'Checkout, subscriptions and taxes for software.',
  category: 'commerce',
  base_url: 'https://api.paddle.com',
  docs_url: 'https://developer.paddle.com/api-reference/overview',
  icon: 'siPaddle',
  methods: [bearerKey(secret('api_key', 'API key', 'Developer tools → Authentication.'))],
  probe: get('/event-types'),
  // The pairs of this header stand between semicolons.
  webhook: hmac({
    header: 'Paddle-Signature',
    pairs: { timestamp: 'ts', signature: 'h1' },
    timestamp_unit: 's',
    tolerance_seconds: 5,
    signed: '{timestamp}:{body}',
    docs_url: 'https://developer.paddle.com/webhooks/signature-verification',
  }),
});
