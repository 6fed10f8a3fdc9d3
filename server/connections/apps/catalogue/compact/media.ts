import { type AppDefinition, defineApp, oauth2 } from '../../definition.ts';

export const mediaApps: readonly AppDefinition[] = [
  defineApp({
    app: 'wordpress',
    name: 'WordPress.com',
    description: 'Posts, pages and media of a site.',
    category: 'media',
    base_url: 'https://public-api.wordpress.com',
    docs_url: 'https://developer.wordpress.com/docs/api/',
    icon: 'siWordpress',
    methods: [
      oauth2({
        authorize_url: 'https://public-api.wordpress.com/oauth2/authorize',
        token_url: 'https://public-api.wordpress.com/oauth2/token',
        pkce: false,
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/wordPress.go',
        'simov/grant config/oauth.json',
        'simstudioai/sim apps/sim/tools/wordpress',
      ],
    },
  }),
];
