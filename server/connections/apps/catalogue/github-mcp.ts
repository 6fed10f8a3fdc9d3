import { defineApp, secret } from '../definition.ts';

export const githubMcp = defineApp({
  app: 'github-mcp',
  name: 'GitHub MCP',
  description: 'GitHub’s own MCP server.',
  category: 'developer',
  base_url: null,
  docs_url: 'https://github.com/github/github-mcp-server',
  icon: 'siGithub',
  methods: [
    {
      method: 'MCP',
      // GitHub does not support dynamic client registration.
      fields: [secret('token', 'Personal access token', 'Settings → Developer settings → Personal access tokens.')],
      server_url: 'https://api.githubcopilot.com/mcp/',
    },
  ],
  evidence: {
    verified: '2026-11',
    vendor: ['github/github-mcp-server README.md'],
    others: ['anthropics/claude-plugins-official external_plugins/github/.mcp.json'],
  },
});
