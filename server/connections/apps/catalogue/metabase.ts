import { basic, defineApp, get, secret, text } from '../definition.ts';

const host = text(
  'host',
  'Host',
  'For example metabase.example.com.',
  '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?',
);
const user = basic(text('username', 'Email address', null), secret('password', 'Password', null));

export const metabase = defineApp({
  app: 'metabase',
  name: 'Metabase',
  description: 'Questions, dashboards and queries of a Metabase.',
  category: 'analytics',
  base_url: 'https://{host}',
  docs_url: 'https://www.metabase.com/docs/latest/api',
  icon: 'siMetabase',
  methods: [
    {
      ...user,
      fields: [host, ...user.fields],
      login: {
        url: 'https://{host}/api/session',
        body: 'json',
        params: { username: '{username}', password: '{password}' },
        headers: {},
        token_path: 'id',
        expires_path: null,
        lives_seconds: null,
        put: [{ in: 'header', name: 'X-Metabase-Session', template: '{access_token}' }],
      },
    },
  ],
  probe: get('/api/user/current'),
  evidence: {
    verified: '2026-11',
    vendor: ['https://www.metabase.com/docs/latest/api', 'metabase/metabase test/metabase/http_client.clj'],
    others: ['shimoju/metabase-ruby lib/metabase/endpoint/session.rb'],
  },
});
