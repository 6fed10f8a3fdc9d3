import { bearerKey, defineApp, get, hmac, type JwtMethod, oauth2, secret, secretFile, text } from '../definition.ts';
import { githubEvents } from '../events/github.ts';
import { githubHooks } from '../hooks/github.ts';
import { push } from '../source.ts';

/** Exchanges a token signed by a GitHub App for an installation access token. */
const installation: JwtMethod = {
  method: 'JWT',
  fields: [
    text('app_id', 'App ID or client ID', 'Settings of the GitHub App → General.', '[A-Za-z0-9.]+'),
    text('installation_id', 'Installation ID', 'The number at the end of the installation’s URL.', '[0-9]+'),
    secretFile('private_key', 'Private key', 'The .pem file generated under Private keys of the GitHub App.'),
  ],
  token: {
    algorithm: 'RS256',
    key: '{private_key}',
    key_encoding: 'pem',
    header: {},
    claims: { iss: '{app_id}' },
    lives_seconds: 540,
  },
  exchange: {
    url: 'https://api.github.com/app/installations/{installation_id}/access_tokens',
    style: 'bearer',
    scopes: [],
    token_name: 'token',
    capture: {},
  },
  put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }],
};

export const github = defineApp({
  app: 'github',
  name: 'GitHub',
  description: 'Repositories, issues, pull requests and actions.',
  category: 'developer',
  base_url: 'https://api.github.com',
  docs_url: 'https://docs.github.com/en/rest',
  icon: 'siGithub',
  // GitHub rejects requests without a user agent.
  default_headers: { 'User-Agent': 'sluice' },
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Settings → Developer settings → Personal access tokens.')),
    oauth2({
      authorize_url: 'https://github.com/login/oauth/authorize',
      token_url: 'https://github.com/login/oauth/access_token',
      scopes: ['repo', 'read:user'],
    }),
    installation,
  ],
  // An installation has no user, so the probe uses another endpoint.
  probe: get('/rate_limit'),
  webhook: hmac({
    header: 'X-Hub-Signature-256',
    prefix: 'sha256=',
    docs_url: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  }),
  source: push({
    secret: 'ours',
    event: [{ header: 'X-GitHub-Event' }, { body: 'action' }],
    id: [{ header: 'X-GitHub-Delivery' }],
    match: {
      owner: { at: [{ body: 'repository.owner.login' }, { body: 'organization.login' }], caseless: true },
      repository: { at: { body: 'repository.name' }, caseless: true },
      branch: { at: { body: 'ref' }, prefix: 'refs/heads/' },
    },
    joined: { repository: 'owner' },
    form: 'payload',
    steps: [
      'Open Settings → Webhooks of the repository or organization and choose Add webhook.',
      'Enter {url} as Payload URL, select application/json as Content type, and enter {secret} as Secret.',
      'Select the events that you need, and choose Add webhook. GitHub sends a ping at once.',
    ],
    docs: {
      handshake: 'The first event is a `ping`; only `*` includes it.',
      id: 'Unique for each event and webhook; manual redeliveries have the same ID.',
      samples:
        'GitHub publishes no example of `issues.closed`; the sample is that of `issues.opened` with another state.',
      facts: [
        'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
        'octokit/webhooks payload-examples',
      ],
    },
  }),
  hooks: githubHooks,
  event_types: githubEvents,
  gateway: { hosts: { uploads: 'https://uploads.github.com' }, link_header: true },
  evidence: {
    verified: '2026-11',
    vendor: [
      'github/docs content/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps.md',
      'https://github.blog/changelog/2025-07-14-pkce-support-for-oauth-and-github-app-authentication',
    ],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/github.ts',
      'octokit/auth-app.js src/get-installation-authentication.ts',
      'octokit/plugin-rest-endpoint-methods.js src/generated/endpoints.ts',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
