import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { boxEvents } from '../events/box.ts';
import { push } from '../source.ts';

export const box = defineApp({
  app: 'box',
  name: 'Box',
  description: 'Files, folders and their collaborators.',
  category: 'files',
  base_url: 'https://api.box.com',
  docs_url: 'https://developer.box.com/reference/',
  icon: 'siBox',
  methods: [
    bearerKey(secret('api_key', 'Developer token', 'Developer console → your app. It expires after one hour.')),
    oauth2({
      authorize_url: 'https://account.box.com/api/oauth2/authorize',
      token_url: 'https://api.box.com/oauth2/token',
      pkce: false,
    }),
  ],
  probe: get('/2.0/users/me'),
  // The timestamp is in RFC 3339 format.
  webhook: hmac({
    header: 'BOX-SIGNATURE-PRIMARY',
    encoding: 'base64',
    timestamp_header: 'BOX-DELIVERY-TIMESTAMP',
    timestamp_unit: 'rfc3339',
    tolerance_seconds: 600,
    signed: '{body}{timestamp}',
    docs_url: 'https://developer.box.com/guides/webhooks/v2/signatures-v2/',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'trigger' }],
    id: [{ body: 'id' }],
    match: { folder: { at: { body: 'source.parent.id' } } },
    steps: [
      'Open your app in the Box developer console and choose Webhooks, then Manage signature keys.',
      'Generate the primary key and enter it here.',
      'Choose Create webhook, enter {url} as URL Address, and choose the folder and the triggers.',
    ],
    docs: {
      id: 'Redeliveries have the same ID; `BOX-DELIVERY-ID` differs.',
      facts: [
        'box/developer.box.com content/guides/webhooks/v2/signatures-v2.md',
        'box/developer.box.com content/guides/webhooks/v2/index.md',
        'box/box-python-sdk-gen box_sdk_gen/managers/webhooks.py',
      ],
    },
  }),
  event_types: boxEvents,
  gateway: { hosts: { upload: 'https://upload.box.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['box/box-openapi openapi.json', 'box/developer.box.com content/guides/webhooks/v2/signatures-v2.md'],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/box.ts',
      'amp-labs/connectors providers/box.go',
      'ridewindx/loong pkg/api/upload/restapi/doc.go',
      'box/box-python-sdk-gen box_sdk_gen/managers/webhooks.py',
    ],
  },
});
