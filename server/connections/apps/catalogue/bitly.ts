import { bearerKey, defineApp, get, oauth2, secret } from '../definition.ts';

export const bitly = defineApp({
  app: 'bitly',
  name: 'Bitly',
  description: 'Short links, QR codes and their clicks.',
  category: 'productivity',
  base_url: 'https://api-ssl.bitly.com',
  docs_url: 'https://dev.bitly.com/api-reference/',
  icon: 'siBitly',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Settings → API.')),
    oauth2({
      authorize_url: 'https://bitly.com/oauth/authorize',
      token_url: 'https://api-ssl.bitly.com/oauth/access_token',
      pkce: false,
    }),
  ],
  probe: get('/v4/user'),
  evidence: {
    verified: '2026-11',
    vendor: ['https://dev.bitly.com/authentication.html'],
    others: ['SocialiteProviders/Providers src/Bitly/Provider.php', 'philnash/bitly lib/bitly/oauth.rb'],
  },
});
