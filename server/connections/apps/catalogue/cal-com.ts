import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { calComEvents } from '../events/tools/cal-com.ts';
import { push } from '../source.ts';

export const calCom = defineApp({
  app: 'cal-com',
  name: 'Cal.com',
  description: 'Event types, availability and bookings.',
  category: 'productivity',
  base_url: 'https://api.cal.com',
  docs_url: 'https://cal.com/docs/api-reference/v2/introduction',
  icon: 'siCaldotcom',
  methods: [bearerKey(secret('api_key', 'API key', 'Settings → Developer → API keys. It starts with cal_.'))],
  probe: get('/v2/me'),
  webhook: hmac({
    header: 'X-Cal-Signature-256',
    docs_url: 'https://cal.com/docs/developing/guides/automation/webhooks',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'triggerEvent' }],
    match: { type: { at: { body: 'payload.type' } } },
    steps: [
      'Open Settings → Developer → Webhooks in Cal.com and choose New.',
      'Enter {url} as Subscriber URL and {secret} as Secret, and select the event triggers.',
      'Leave the payload template off, so that the requests have the name of their event.',
    ],
    docs: {
      id: 'Cal.com sends no event ID.',
      samples: 'Cal.com publishes the payload of a created booking; the other types have the same fields.',
      facts: [
        'https://cal.com/docs/developing/guides/automation/webhooks',
        'calcom/cal.com packages/features/webhooks/lib/sendPayload.ts',
        'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      ],
    },
  }),
  event_types: calComEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'calcom/cal.com apps/api/v2/src/ee/me/me.controller.ts',
      'calcom/cal.com packages/features/webhooks/lib/sendPayload.ts',
    ],
    others: [
      'fabianSp77/askproai-api docs/api/cal.com-v2-migration.md',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
