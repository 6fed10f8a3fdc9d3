import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { paddleEvents } from '../events/paddle.ts';
import { push } from '../source.ts';

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
  // Pairs separated by semicolons.
  webhook: hmac({
    header: 'Paddle-Signature',
    pairs: { timestamp: 'ts', signature: 'h1', separator: ';' },
    timestamp_unit: 's',
    tolerance_seconds: 5,
    signed: '{timestamp}:{body}',
    docs_url: 'https://developer.paddle.com/webhooks/signature-verification',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'event_type' }],
    id: [{ body: 'event_id' }],
    steps: [
      'Open Developer Tools → Notifications in Paddle and choose New destination.',
      'Choose URL as notification type, enter {url}, and select the events that you need.',
      'Open the destination again, copy its Secret key and enter it here.',
    ],
    docs: {
      verified: 'Paddle’s library also allows 5 s.',
      samples: 'Samples contain only the ID and status of each entity.',
      facts: [
        'https://developer.paddle.com/webhooks/signature-verification',
        'PaddleHQ/paddle-node-sdk src/notifications/helpers/webhooks-validator.ts',
      ],
    },
  }),
  event_types: paddleEvents,
  gateway: { hosts: { sandbox: 'https://sandbox-api.paddle.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'PaddleHQ/paddle-node-sdk src/internal/api/constants.ts',
      'PaddleHQ/paddle-node-sdk src/notifications/helpers/webhooks-validator.ts',
      'https://developer.paddle.com/sdks/sandbox',
    ],
    others: [
      'amp-labs/connectors providers/paddle.go',
      'hookdeck/webhook-skills skills/paddle-webhooks/references/verification.md',
    ],
  },
});
