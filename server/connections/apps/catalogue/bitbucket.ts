import { basic, bearerKey, defineApp, hmac, oauth2, secret, text } from '../definition.ts';
import { bitbucketEvents } from '../events/bitbucket.ts';
import { push } from '../source.ts';

export const bitbucket = defineApp({
  app: 'bitbucket',
  name: 'Bitbucket',
  description: 'Repositories, pull requests and pipelines.',
  category: 'developer',
  base_url: 'https://api.bitbucket.org',
  docs_url: 'https://developer.atlassian.com/cloud/bitbucket/rest/',
  icon: 'siBitbucket',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'An access token of a repository, project or workspace.')),
    basic(
      text('email', 'Email', 'The email address of the Atlassian account.'),
      secret('api_token', 'API token', 'Create an API token with scopes at id.atlassian.com.'),
    ),
    oauth2({
      authorize_url: 'https://bitbucket.org/site/oauth2/authorize',
      token_url: 'https://bitbucket.org/site/oauth2/access_token',
      client_auth: 'basic',
      pkce: false,
      scopes: ['account', 'repository'],
    }),
  ],
  // No probe: a repository access token has no user and few permissions.
  webhook: hmac({
    header: 'X-Hub-Signature',
    prefix: 'sha256=',
    docs_url: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
  }),
  source: push({
    secret: 'ours',
    // For example pullrequest:created.
    event: [{ header: 'X-Event-Key' }],
    id: [{ header: 'X-Request-UUID' }],
    match: { repository: { at: { body: 'repository.full_name' }, caseless: true } },
    steps: [
      'Open Repository settings → Webhooks in Bitbucket and choose Add webhook.',
      'Enter {url} as URL and {secret} as Secret.',
      'Choose the triggers for the events that you need, and save.',
    ],
    docs: {
      facts: [
        'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
        'https://bitbucket.org/blog/enhanced-webhook-security',
        'zulip/zulip zerver/webhooks/bitbucket2/fixtures',
      ],
    },
  }),
  event_types: bitbucketEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://developer.atlassian.com/cloud/bitbucket/oauth-2',
      'https://bitbucket.org/blog/enhanced-webhook-security',
      'https://support.atlassian.com/bitbucket-cloud/docs/using-api-tokens/',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'python-social-auth/social-core social_core/backends/bitbucket.py',
      'simstudioai/sim apps/sim/lib/webhooks/providers/bitbucket.ts',
      'https://docs.aws.amazon.com/codebuild/latest/userguide/access-tokens-bitbucket.md',
    ],
  },
});
