import {
  type AppDefinition,
  basic,
  clientCredentials,
  defineApp,
  get,
  headerKey,
  secret,
  text,
} from '../../definition.ts';

export const identityApps: readonly AppDefinition[] = [
  defineApp({
    app: 'auth0',
    name: 'Auth0',
    description: 'Users, sign-in, roles and applications of a tenant.',
    category: 'developer',
    base_url: 'https://{domain}.auth0.com',
    docs_url: 'https://auth0.com/docs/api/management/v2',
    icon: 'siAuth0',
    methods: [
      clientCredentials({
        fields: [
          text(
            'domain',
            'Tenant',
            'The part before .auth0.com in the domain, with the region, such as acme.eu.',
            '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z]{2})?',
          ),
        ],
        token_url: 'https://{domain}.auth0.com/oauth/token',
        token_params: { audience: 'https://{domain}.auth0.com/api/v2/' },
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: ['auth0/node-auth0 src/management/token-provider.ts'],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/auth0oauth/auth0oauth.go',
        'trufflesecurity/trufflehog pkg/detectors/auth0managementapitoken/auth0managementapitoken.go',
      ],
    },
  }),
  defineApp({
    app: 'stytch',
    name: 'Stytch',
    description: 'Sign-in of users: passwords, magic links, sessions and passkeys.',
    category: 'developer',
    base_url: 'https://api.stytch.com',
    docs_url: 'https://stytch.com/docs/api',
    methods: [
      basic(
        text('project_id', 'Project ID', 'Dashboard → API keys.'),
        secret('api_key', 'Secret', 'Dashboard → API keys.'),
      ),
    ],
    gateway: { hosts: { test: 'https://test.stytch.com' } },
    evidence: {
      verified: '2026-11-28',
      vendor: ['stytchauth/stytch-node lib/shared/client.ts', 'stytchauth/stytch-node lib/shared/envs.ts'],
      others: ['trufflesecurity/trufflehog pkg/detectors/stytch/stytch.go'],
    },
  }),
  defineApp({
    app: 'virustotal',
    name: 'VirusTotal',
    description: 'Malware reports of files, URLs, domains and IP addresses.',
    category: 'developer',
    base_url: 'https://www.virustotal.com',
    docs_url: 'https://docs.virustotal.com/reference/overview',
    icon: 'siVirustotal',
    methods: [headerKey(secret('api_key', 'API key', 'Profile → API key.'), 'X-Apikey')],
    probe: get('/api/v3/metadata'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['VirusTotal/vt-py vt/client.py'],
      others: ['trufflesecurity/trufflehog pkg/detectors/virustotal/virustotal.go'],
    },
  }),
];
