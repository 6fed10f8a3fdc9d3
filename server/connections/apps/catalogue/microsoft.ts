import { defineApp, type FieldDefinition, get, oauth2, text } from '../definition.ts';

/** A client that is registered for one tenant can't use `common` (AADSTS50194). */
const tenant: FieldDefinition = {
  ...text(
    'tenant',
    'Tenant',
    'The directory ID or domain of your organization. Leave common unless the app is registered for one tenant.',
    '[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?',
  ),
  required: false,
  default: 'common',
};

export const microsoft = defineApp({
  app: 'microsoft',
  name: 'Microsoft Graph',
  description: 'Outlook, Teams, OneDrive and users of Microsoft 365.',
  category: 'productivity',
  base_url: 'https://graph.microsoft.com',
  docs_url: 'https://learn.microsoft.com/en-us/graph/api/overview',
  methods: [
    oauth2({
      fields: [tenant],
      authorize_url: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
      token_url: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
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
    verified: '2026-11',
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
