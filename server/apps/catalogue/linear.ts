import { defineApp, headerKey, secret } from '../definition.ts';

export const linear = defineApp({
  app: 'linear',
  name: 'Linear',
  description: 'Issues, projects and cycles.',
  category: 'developer',
  base_url: 'https://api.linear.app',
  docs_url: 'https://linear.app/developers',
  icon: 'siLinear',
  // A personal key goes without "Bearer"; only OAuth tokens have it.
  methods: [headerKey(secret('api_key', 'Personal API key', 'Settings → Security & access.'), 'Authorization')],
});
