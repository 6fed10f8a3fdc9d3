import { type AppDefinition, defineApp, get, headerKey, oauth2, secret } from '../../definition.ts';

export const signatureApps: readonly AppDefinition[] = [
  defineApp({
    app: 'pandadoc',
    name: 'PandaDoc',
    description: 'Documents, templates and electronic signatures.',
    category: 'files',
    base_url: 'https://api.pandadoc.com',
    docs_url: 'https://developers.pandadoc.com/reference/about',
    methods: [
      headerKey(secret('api_key', 'API key', 'Developer dashboard.'), 'Authorization', 'API-Key {api_key}'),
      oauth2({
        authorize_url: 'https://app.pandadoc.com/oauth2/authorize',
        token_url: 'https://api.pandadoc.com/oauth2/access_token',
        pkce: false,
        scopes: ['read+write'],
      }),
    ],
    probe: get('/public/v1/members/current'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['PandaDoc/pandadoc-api-node-client README.md'],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/pandadoc/pandadoc.go',
        'PipedreamHQ/pipedream components/pandadoc/pandadoc.app.mjs',
      ],
    },
  }),
  defineApp({
    app: 'dropbox-sign',
    name: 'Dropbox Sign',
    description: 'Signature requests, templates and signed documents.',
    category: 'files',
    base_url: 'https://api.hellosign.com',
    docs_url: 'https://developers.hellosign.com/api/reference/',
    icon: 'siDropbox',
    methods: [
      {
        method: 'BASIC',
        fields: [secret('api_key', 'API key', 'Settings → API.')],
        username: '{api_key}',
        password: '',
      },
    ],
    probe: get('/v3/account'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['hellosign/hellosign-python-sdk hellosign_sdk/hsclient.py'],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/hellosign/hellosign.go',
        'PipedreamHQ/pipedream components/hellosign/hellosign.app.mjs',
      ],
    },
  }),
];
