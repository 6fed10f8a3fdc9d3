import { defineApp } from '../definition.ts';
import { parameters, push } from '../source.ts';

/** Any source that signs according to the specification, with its header names or those of Svix. */
export const standardWebhooks = defineApp({
  app: 'standard-webhooks',
  name: 'Standard Webhooks',
  description: 'Any sender that implements Standard Webhooks.',
  category: 'built-in',
  base_url: null,
  docs_url: 'https://www.standardwebhooks.com/',
  webhook: { signature: { kind: 'standard', prefix: 'webhook-' }, docs_url: 'https://www.standardwebhooks.com/' },
  source: push({
    secret: 'theirs',
    id: [[{ header: 'webhook-id' }, { header: 'svix-id' }]],
    match: { type: { at: { body: 'type' } } },
    steps: [
      'Add {url} as an endpoint at the sender.',
      'Copy the signing secret of the endpoint (it starts with whsec_) and enter it here.',
    ],
    docs: {
      verified:
        'It is a list. Each signature covers the ID, `.`, the timestamp, `.` and the body: `v1,` and an HMAC-SHA256 in base64, or `v1a,` and an Ed25519 signature if the secret is a public key (`whpk_`). The headers may start with `svix-` instead.',
      facts: ['https://www.standardwebhooks.com/', 'standard-webhooks/standard-webhooks spec/standard-webhooks.md'],
    },
  }),
  event_types: [
    {
      event_type: 'webhook.received',
      description: 'A message was received.',
      parameters: parameters({
        type: {
          type: 'string',
          title: 'Type',
          description: 'Only messages of this type.',
          minLength: 1,
          maxLength: 200,
          examples: ['contact.created'],
        },
      }),
      sample: {
        type: 'contact.created',
        timestamp: '2022-11-03T20:26:10.344522Z',
        data: {
          id: '1f81eb52-5198-4599-803e-771906343485',
          type: 'contact',
          created_at: '2022-11-03T20:26:10.344522Z',
          first_name: 'John',
          last_name: 'Smith',
        },
      },
    },
  ],
});
