import { basic, type MethodDefinition, oauth2, secret, text } from './definition.ts';

/** Methods of Jira and Confluence Cloud: an API token at the site's host, or OAuth at api.atlassian.com. */
export function atlassian(product: 'jira' | 'confluence', scopes: string[]): MethodDefinition[] {
  const token = basic(
    text('email', 'Email', 'The email address of the Atlassian account.'),
    secret('api_token', 'API token', 'Create one at id.atlassian.com → Security.'),
  );
  return [
    {
      ...token,
      fields: [text('site', 'Site', 'The part before .atlassian.net.', '[a-z0-9][a-z0-9-]*'), ...token.fields],
      base_url: 'https://{site}.atlassian.net',
    },
    {
      ...oauth2({
        fields: [
          text(
            'cloud_id',
            'Cloud id',
            'The cloudId at https://<site>.atlassian.net/_edge/tenant_info.',
            '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
          ),
        ],
        authorize_url: 'https://auth.atlassian.com/authorize',
        token_url: 'https://auth.atlassian.com/oauth/token',
        scopes: [...scopes, 'offline_access'],
        authorize_params: { audience: 'api.atlassian.com', prompt: 'consent' },
      }),
      base_url: `https://api.atlassian.com/ex/${product}/{cloud_id}`,
    },
  ];
}
