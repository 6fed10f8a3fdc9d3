import { defineApp, get, headerKey, oauth2, secret } from '../definition.ts';

export const discord = defineApp({
  app: 'discord',
  name: 'Discord',
  description: 'Servers, channels and messages.',
  category: 'communication',
  base_url: 'https://discord.com',
  docs_url: 'https://docs.discord.com/developers/reference',
  icon: 'siDiscord',
  methods: [
    headerKey(
      secret('api_key', 'Bot token', 'Developer portal → your application → Bot.'),
      'Authorization',
      'Bot {api_key}',
    ),
    oauth2({
      authorize_url: 'https://discord.com/oauth2/authorize',
      token_url: 'https://discord.com/api/oauth2/token',
      scopes: ['identify', 'guilds'],
    }),
  ],
  probe: get('/api/v10/users/@me'),
  webhook: {
    signature: { kind: 'ed25519', header: 'X-Signature-Ed25519', timestamp_header: 'X-Signature-Timestamp' },
    docs_url: 'https://docs.discord.com/developers/events/webhook-events',
  },
  evidence: {
    verified: '2026-11',
    vendor: [
      'discord/discord-api-docs developers/topics/oauth2.mdx',
      'discord/discord-api-docs developers/events/webhook-events.mdx',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/discord.ts',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
