import { defineApp, get, oauth2, secret, text } from '../definition.ts';

const centre = text(
  'dc',
  'Data center',
  'The last part of the API key, such as us6. It is also the first part of the URL after you sign in.',
  '[a-z]{2}[0-9]+',
);

export const mailchimp = defineApp({
  app: 'mailchimp',
  name: 'Mailchimp',
  description: 'Audiences, campaigns and automations.',
  category: 'marketing',
  base_url: 'https://{dc}.api.mailchimp.com',
  docs_url: 'https://mailchimp.com/developer/marketing/api/',
  icon: 'siMailchimp',
  methods: [
    {
      method: 'BASIC',
      fields: [centre, secret('api_key', 'API key', 'Profile → Extras → API keys.')],
      // Any value is accepted.
      username: 'sluice',
      password: '{api_key}',
    },
    oauth2({
      fields: [centre],
      authorize_url: 'https://login.mailchimp.com/oauth2/authorize',
      token_url: 'https://login.mailchimp.com/oauth2/token',
      pkce: false,
      put: [{ in: 'header', name: 'Authorization', template: 'OAuth {access_token}' }],
    }),
  ],
  probe: get('/3.0/'),
  evidence: {
    verified: '2026-11',
    vendor: ['mailchimp/mailchimp-marketing-node README.md'],
    others: [
      'singer-io/tap-mailchimp tap_mailchimp/client.py',
      'trufflesecurity/trufflehog pkg/detectors/mailchimp/mailchimp.go',
      'pennersr/django-allauth allauth/socialaccount/providers/mailchimp/views.py',
    ],
  },
});
