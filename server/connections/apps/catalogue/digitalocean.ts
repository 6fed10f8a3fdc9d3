import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const digitalocean = defineApp({
  app: 'digitalocean',
  name: 'DigitalOcean',
  description: 'Droplets, databases, domains and apps.',
  category: 'developer',
  base_url: 'https://api.digitalocean.com',
  docs_url: 'https://docs.digitalocean.com/reference/api/',
  icon: 'siDigitalocean',
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'API → Tokens.')),
    oauth2({
      authorize_url: 'https://cloud.digitalocean.com/v1/oauth/authorize',
      token_url: 'https://cloud.digitalocean.com/v1/oauth/token',
      pkce: false,
      scopes: ['read', 'write'],
    }),
  ],
  probe: get('/v2/account'),
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.digitalocean.com/reference/api/oauth',
      'digitalocean/openapi specification/DigitalOcean-public.v2.yaml',
    ],
    others: [
      'python-social-auth/social-core social_core/backends/digitalocean.py',
      'pennersr/django-allauth allauth/socialaccount/providers/digitalocean/views.py',
    ],
  },
});
