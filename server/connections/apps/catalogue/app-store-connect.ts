import { defineApp, get, secretFile, text } from '../definition.ts';

export const appStoreConnect = defineApp({
  app: 'app-store-connect',
  name: 'App Store Connect',
  description: 'Apps, builds, testers and sales on the App Store.',
  category: 'developer',
  base_url: 'https://api.appstoreconnect.apple.com',
  docs_url: 'https://developer.apple.com/documentation/appstoreconnectapi',
  icon: 'siAppstore',
  methods: [
    {
      method: 'JWT',
      fields: [
        text('issuer_id', 'Issuer ID', 'Users and Access → Integrations, above the keys.'),
        text('key_id', 'Key ID', 'Next to the key.'),
        secretFile('private_key', 'Private key', 'The file AuthKey_….p8. It can be downloaded only once.'),
      ],
      token: {
        algorithm: 'ES256',
        key: '{private_key}',
        key_encoding: 'pem',
        header: { kid: '{key_id}' },
        claims: { iss: '{issuer_id}', aud: 'appstoreconnect-v1' },
        // Apple allows at most twenty minutes.
        lives_seconds: 900,
      },
      exchange: null,
      put: [{ in: 'header', name: 'Authorization', template: 'Bearer {token}' }],
    },
  ],
  probe: get('/v1/apps?limit=1'),
  evidence: {
    verified: '2026-11',
    vendor: ['fastlane/fastlane spaceship/lib/spaceship/connect_api/token.rb'],
    others: ['Ponytech/appstoreconnectapi appstoreconnect/api.py'],
  },
});
