import { bearerKey, defineApp, get, hmac, secret } from '../definition.ts';
import { lemonSqueezyEvents } from '../events/business/lemon-squeezy.ts';
import { push } from '../source.ts';

export const lemonSqueezy = defineApp({
  app: 'lemon-squeezy',
  name: 'Lemon Squeezy',
  description: 'Orders, subscriptions and license keys of digital products.',
  category: 'commerce',
  base_url: 'https://api.lemonsqueezy.com',
  docs_url: 'https://docs.lemonsqueezy.com/api',
  icon: 'siLemonsqueezy',
  default_headers: { Accept: 'application/vnd.api+json' },
  methods: [bearerKey(secret('api_key', 'API key', 'Settings → API.'))],
  probe: get('/v1/users/me'),
  webhook: hmac({
    header: 'X-Signature',
    docs_url: 'https://docs.lemonsqueezy.com/help/webhooks/signing-requests',
  }),
  source: push({
    // A secret of Lemon Squeezy has at most 40 characters; ours are longer.
    secret: 'theirs',
    event: [{ body: 'meta.event_name' }],
    match: { store: { at: { body: 'data.attributes.store_id' } } },
    steps: [
      'Open Settings → Webhooks in Lemon Squeezy and add a webhook.',
      'Enter {url} as Callback URL and a random text of 6 to 40 characters as Signing secret, and select the events.',
      'Enter the same signing secret here.',
    ],
    docs: {
      id: 'Lemon Squeezy documents no event ID. It sends a request up to three more times until it gets 200.',
      samples: 'Other types are in the state that the event reports.',
      facts: [
        'https://docs.lemonsqueezy.com/help/webhooks/signing-requests',
        'https://docs.lemonsqueezy.com/help/webhooks/webhook-requests',
        'remorses/lemonsqueezy-webhooks lemonsqueezy-webhooks/src/index.ts',
      ],
    },
  }),
  event_types: lemonSqueezyEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.lemonsqueezy.com/api/users/retrieve-user',
      'https://docs.lemonsqueezy.com/help/webhooks/webhook-requests',
    ],
    others: [
      'trufflesecurity/trufflehog pkg/detectors/lemonsqueezy/lemonsqueezy.go',
      'remorses/lemonsqueezy-webhooks lemonsqueezy-webhooks/src/index.ts',
      'https://robingenz.dev/blog/validate-lemon-squeezy-webhook-requests-in-cloudflare-workers',
    ],
  },
});
