import { defineApp, get, secret, text } from '../definition.ts';

export const ghost = defineApp({
  app: 'ghost',
  name: 'Ghost',
  description: 'Posts, members and newsletters of a site.',
  category: 'media',
  base_url: 'https://{domain}',
  docs_url: 'https://docs.ghost.org/admin-api',
  icon: 'siGhost',
  methods: [
    {
      method: 'JWT',
      fields: [
        text(
          'domain',
          'Admin domain',
          'The domain of Ghost Admin, such as example.ghost.io.',
          '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
        ),
        text('id', 'Key ID', 'Settings → Integrations: the part of the Admin API key before the colon.'),
        secret('secret', 'Secret', 'The part after the colon.'),
      ],
      token: {
        algorithm: 'HS256',
        key: '{secret}',
        key_encoding: 'hex',
        header: { kid: '{id}' },
        claims: { aud: '/admin/' },
        // Ghost allows at most five minutes.
        lives_seconds: 240,
      },
      exchange: null,
      put: [{ in: 'header', name: 'Authorization', template: 'Ghost {token}' }],
    },
  ],
  probe: get('/ghost/api/admin/posts/?limit=1'),
  evidence: {
    verified: '2026-11',
    vendor: ['TryGhost/Docs admin-api.mdx'],
    others: ['TryGhost/SDK packages/admin-api/lib/token.js'],
  },
});
