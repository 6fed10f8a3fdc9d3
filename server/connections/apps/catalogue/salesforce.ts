import { defineApp, get, oauth2, secret, secretFile, text } from '../definition.ts';

const domain = text(
  'domain',
  'Domain',
  'The part before .salesforce.com: login, test for a sandbox, or your domain, such as acme.my.',
  '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?',
);
const token_url = 'https://{domain}.salesforce.com/services/oauth2/token';

export const salesforce = defineApp({
  app: 'salesforce',
  name: 'Salesforce',
  description: 'Accounts, leads, opportunities and any object of an org.',
  category: 'crm',
  // The instance URL of the org, from the token response.
  base_url: '{instance_url}',
  docs_url: 'https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/intro_rest.htm',
  methods: [
    oauth2({
      fields: [domain],
      authorize_url: 'https://{domain}.salesforce.com/services/oauth2/authorize',
      token_url,
      scopes: ['api', 'refresh_token'],
      capture: { instance_url: 'instance_url' },
    }),
    {
      method: 'JWT',
      fields: [
        domain,
        secret('consumer_key', 'Consumer key', 'The consumer key of an external client app with your certificate.'),
        text('username', 'User name', 'The user to impersonate. The app must be approved for this user.'),
        secretFile('private_key', 'Private key', 'The private key of the certificate, in PEM.'),
      ],
      token: {
        algorithm: 'RS256',
        key: '{private_key}',
        key_encoding: 'pem',
        header: {},
        claims: { iss: '{consumer_key}', sub: '{username}', aud: 'https://{domain}.salesforce.com' },
        lives_seconds: 180,
      },
      exchange: {
        url: token_url,
        style: 'rfc7523',
        scopes: [],
        token_name: 'access_token',
        capture: { instance_url: 'instance_url' },
      },
      put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }],
    },
  ],
  probe: get('/services/oauth2/userinfo'),
  evidence: {
    verified: '2026-11',
    vendor: ['forcedotcom/sfdx-core src/org/authInfo.ts'],
    others: [
      'jsforce/jsforce src/oauth2.ts',
      'simple-salesforce/simple-salesforce simple_salesforce/login.py',
      'amp-labs/connectors providers/salesforce.go',
    ],
  },
});
