import { defineApp, get, hmac, oauth2 } from '../definition.ts';

export const zoom = defineApp({
  app: 'zoom',
  name: 'Zoom',
  description: 'Meetings, webinars, recordings and people.',
  category: 'communication',
  base_url: 'https://api.zoom.us',
  docs_url: 'https://developers.zoom.us/docs/api/',
  icon: 'siZoom',
  methods: [
    oauth2({
      authorize_url: 'https://zoom.us/oauth/authorize',
      token_url: 'https://zoom.us/oauth/token',
      client_auth: 'basic',
    }),
  ],
  probe: get('/v2/users/me'),
  // The first request holds a plainToken that must be sent back with its HMAC.
  webhook: hmac({
    header: 'x-zm-signature',
    prefix: 'v0=',
    timestamp_header: 'x-zm-request-timestamp',
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: 'v0:{timestamp}:{body}',
    docs_url: 'https://developers.zoom.us/docs/api/webhooks/',
  }),
});
