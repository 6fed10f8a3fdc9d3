import { defineApp, get, headerKey, hmac, secret } from '../definition.ts';

export const elevenlabs = defineApp({
  app: 'elevenlabs',
  name: 'ElevenLabs',
  description: 'Voices, speech and conversational agents.',
  category: 'ai',
  base_url: 'https://api.elevenlabs.io',
  docs_url: 'https://elevenlabs.io/docs/api-reference/introduction',
  icon: 'siElevenlabs',
  methods: [headerKey(secret('api_key', 'API key', 'Developers → API keys.'), 'xi-api-key')],
  probe: get('/v1/models'),
  webhook: hmac({
    header: 'ElevenLabs-Signature',
    pairs: { timestamp: 't', signature: 'v0' },
    timestamp_unit: 's',
    tolerance_seconds: 1800,
    signed: '{timestamp}.{body}',
    docs_url: 'https://elevenlabs.io/docs/overview/administration/webhooks',
  }),
  gateway: {
    hosts: {
      us: 'https://api.us.elevenlabs.io',
      eu: 'https://api.eu.residency.elevenlabs.io',
      in: 'https://api.in.residency.elevenlabs.io',
    },
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'elevenlabs/elevenlabs-docs fern/api-reference/pages/authentication.mdx',
      'elevenlabs/elevenlabs-js src/wrapper/webhooks.ts',
    ],
    others: [
      'simstudioai/sim apps/sim/tools/elevenlabs',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      'hookdeck/webhook-skills skills/elevenlabs-webhooks/SKILL.md',
    ],
  },
});
