import { atlassian } from '../atlassian.ts';
import { defineApp, get } from '../definition.ts';

export const confluence = defineApp({
  app: 'confluence',
  name: 'Confluence',
  description: 'Pages and spaces of Confluence Cloud.',
  category: 'productivity',
  base_url: 'https://api.atlassian.com',
  docs_url: 'https://developer.atlassian.com/cloud/confluence/rest/v2/intro/',
  icon: 'siConfluence',
  methods: atlassian('confluence', [
    'read:confluence-content.all',
    'read:confluence-space.summary',
    'read:confluence-user',
    'write:confluence-content',
  ]),
  probe: get('/wiki/rest/api/user/current'),
  evidence: {
    verified: '2026-11',
    vendor: ['https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/'],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'python-social-auth/social-core social_core/backends/atlassian.py',
    ],
  },
});
