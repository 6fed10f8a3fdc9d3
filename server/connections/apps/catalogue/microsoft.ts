import { defineApp, get, oauth2 } from '../definition.ts';

export const microsoft = defineApp({
  app: 'microsoft',
  name: 'Microsoft Graph',
  description: 'Outlook, Teams, OneDrive and users of Microsoft 365.',
  category: 'productivity',
  base_url: 'https://graph.microsoft.com',
  docs_url: 'https://learn.microsoft.com/en-us/graph/api/overview',
  methods: [
    oauth2({
      authorize_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      token_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      scopes: ['offline_access', 'User.Read'],
    }),
  ],
  probe: get('/v1.0/me'),
  webhook: {
    signature: {
      kind: 'other',
      header: null,
      how: 'Each notification contains the clientState of its subscription.',
    },
    docs_url: 'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
  },
  evidence: {
    vendor: [
      'https://learn.microsoft.com/en-us/graph/auth-v2-user',
      'microsoftgraph/msgraph-sdk-javascript src/Constants.ts',
    ],
    others: [
      'python-social-auth/social-core social_core/backends/microsoft.py',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
    ],
  },
});
