import { clientCredentials, defineApp, get } from '../definition.ts';

export const twitch = defineApp({
  app: 'twitch',
  name: 'Twitch',
  description: 'Streams, channels and clips.',
  category: 'communication',
  base_url: 'https://api.twitch.tv',
  docs_url: 'https://dev.twitch.tv/docs/api/reference/',
  icon: 'siTwitch',
  methods: [
    clientCredentials({
      token_url: 'https://id.twitch.tv/oauth2/token',
      put: [
        { in: 'header', name: 'Authorization', template: 'Bearer {access_token}' },
        { in: 'header', name: 'Client-Id', template: '{client_id}' },
      ],
    }),
  ],
  probe: get('/helix/streams?first=1'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'Twitch-Eventsub-Message-Signature',
      how: 'sha256= and the HMAC-SHA256, in hex, of Twitch-Eventsub-Message-Id, Twitch-Eventsub-Message-Timestamp and the body.',
    },
    docs_url: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
  },
});
