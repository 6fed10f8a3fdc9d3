import { defineApp, hmac, oauth2 } from '../definition.ts';
import { dropboxEvents } from '../events/dropbox.ts';
import { push } from '../source.ts';

export const dropbox = defineApp({
  app: 'dropbox',
  name: 'Dropbox',
  description: 'Files, folders and shared links.',
  category: 'files',
  base_url: 'https://api.dropboxapi.com',
  docs_url: 'https://www.dropbox.com/developers/documentation/http/documentation',
  icon: 'siDropbox',
  methods: [
    oauth2({
      authorize_url: 'https://www.dropbox.com/oauth2/authorize',
      token_url: 'https://api.dropboxapi.com/oauth2/token',
      scopes: ['account_info.read', 'files.metadata.read'],
      // Dropbox issues a refresh token only with this parameter.
      authorize_params: { token_access_type: 'offline' },
    }),
  ],
  probe: { method: 'POST', path: '/2/users/get_current_account', body: null },
  // Keyed with the app secret. Dropbox first verifies the URL with GET and a challenge.
  webhook: hmac({
    header: 'X-Dropbox-Signature',
    docs_url: 'https://www.dropbox.com/developers/reference/webhooks',
  }),
  source: push({
    secret: 'theirs',
    handshake: { kind: 'query', name: 'challenge' },
    steps: [
      'Open your app in the Dropbox App Console, copy the App secret and enter it here.',
      'Enter {url} as Webhook URI and choose Add: Dropbox verifies it at once.',
    ],
    docs: {
      facts: [
        'https://www.dropbox.com/developers/reference/webhooks',
        'http://www.jerriepelser.com/blog/creating-a-dropbox-webhook-in-aspnet/',
      ],
    },
  }),
  event_types: dropboxEvents,
  gateway: { hosts: { content: 'https://content.dropboxapi.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['dropbox/dropbox-sdk-python dropbox/oauth.py', 'https://www.dropbox.com/developers/reference/webhooks'],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/dropbox.ts',
      'amp-labs/connectors providers/dropbox.go',
      'http://www.jerriepelser.com/blog/creating-a-dropbox-webhook-in-aspnet/',
    ],
  },
});
