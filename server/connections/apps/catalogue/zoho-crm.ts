import { defineApp, oauth2, text } from '../definition.ts';

export const zohoCrm = defineApp({
  app: 'zoho-crm',
  name: 'Zoho CRM',
  description: 'Leads, contacts, deals and any module of an organization.',
  category: 'crm',
  // The API domain of the organization, from the token response.
  base_url: '{api_domain}',
  docs_url: 'https://www.zoho.com/crm/developer/docs/api/v8/',
  icon: 'siZoho',
  methods: [
    oauth2({
      fields: [
        text(
          'data_centre',
          'Data center',
          'The part after zoho. in the URL when you are signed in: com, eu, in, com.au, jp, sa, uk, ae or com.cn.',
          'com|eu|in|com\\.au|jp|sa|uk|ae|com\\.cn',
        ),
      ],
      authorize_url: 'https://accounts.zoho.{data_centre}/oauth/v2/auth',
      token_url: 'https://accounts.zoho.{data_centre}/oauth/v2/token',
      pkce: false,
      scopes: ['ZohoCRM.modules.ALL'],
      scope_separator: ',',
      // Without prompt, Zoho returns no refresh token to a user who agreed before.
      authorize_params: { access_type: 'offline', prompt: 'consent' },
      capture: { api_domain: 'api_domain' },
      put: [{ in: 'header', name: 'Authorization', template: 'Zoho-oauthtoken {access_token}' }],
    }),
  ],
  evidence: {
    verified: '2026-11',
    vendor: [
      'zoho/zohocrm-nodejs-sdk-7.0 lib/routes/dc/cn_data_center.js',
      'zoho/zohocrm-nodejs-sdk-7.0 lib/utils/util/constants.js',
    ],
    others: ['amp-labs/connectors providers/zoho.go', 'trufflesecurity/trufflehog pkg/detectors/zohocrm/zohocrm.go'],
  },
});
