import { bearerKey, defineApp, secret } from '../definition.ts';

export const github = defineApp({
  app: 'github',
  name: 'GitHub',
  description: 'Repositories, issues, pull requests and actions.',
  category: 'developer',
  base_url: 'https://api.github.com',
  docs_url: 'https://docs.github.com/en/rest',
  icon: 'siGithub',
  // GitHub refuses requests without one.
  default_headers: { 'User-Agent': 'sluice' },
  methods: [
    bearerKey(secret('api_key', 'Personal access token', 'Settings → Developer settings → Personal access tokens.')),
  ],
});
