import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { webflowEvents } from '../events/tools/webflow.ts';
import { push } from '../source.ts';

export const webflow = defineApp({
  app: 'webflow',
  name: 'Webflow',
  description: 'Sites, collections, forms and orders.',
  category: 'design',
  base_url: 'https://api.webflow.com',
  docs_url: 'https://developers.webflow.com/data/reference/rest-introduction',
  icon: 'siWebflow',
  methods: [
    bearerKey(secret('api_key', 'Site token', 'Site settings → Apps & integrations → API access.')),
    oauth2({
      authorize_url: 'https://webflow.com/oauth/authorize',
      token_url: 'https://api.webflow.com/oauth/access_token',
      pkce: false,
      scopes: ['sites:read', 'cms:read', 'cms:write'],
    }),
  ],
  probe: get('/v2/token/introspect'),
  webhook: hmac({
    header: 'x-webflow-signature',
    timestamp_header: 'x-webflow-timestamp',
    timestamp_unit: 'ms',
    tolerance_seconds: 300,
    signed: '{timestamp}:{body}',
    docs_url: 'https://developers.webflow.com/data/docs/working-with-webhooks',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'triggerType' }],
    match: { site: { at: { body: 'payload.siteId' } } },
    steps: [
      'Webhooks of Webflow are signed only if they are created with its API. Those of the site settings are not accepted.',
      'Send POST https://api.webflow.com/v2/sites/<site>/webhooks with triggerType and url {url}, once for each event.',
      'Enter the client secret of the app that created it here; for a site token, the secret key in the response.',
    ],
    docs: {
      id: 'Webflow sends no event ID.',
      facts: [
        'https://developers.webflow.com/data/docs/working-with-webhooks',
        'https://developers.webflow.com/data/reference/all-events',
        'hookdeck/webhook-skills skills/webflow-webhooks/SKILL.md',
      ],
    },
  }),
  event_types: webflowEvents,
  gateway: { hosts: { eu: 'https://api.eu.webflow.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'webflow/js-webflow-api src/wrapper/WebflowClient.ts',
      'webflow/js-webflow-api src/wrapper/WebhooksClient.ts',
      'https://developers.webflow.com/data/reference/eu-hosting.md',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'hookdeck/webhook-skills skills/webflow-webhooks/SKILL.md',
    ],
  },
});
