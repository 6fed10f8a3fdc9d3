import { defineApp } from '../definition.ts';

export const linearMcp = defineApp({
  app: 'linear-mcp',
  name: 'Linear MCP',
  description: 'Linear’s own MCP server.',
  category: 'developer',
  base_url: null,
  docs_url: 'https://linear.app/docs/mcp',
  icon: 'siLinear',
  methods: [{ method: 'MCP', fields: [], server_url: 'https://mcp.linear.app/mcp' }],
  evidence: {
    verified: '2026-11',
    vendor: ['https://linear.app/docs/mcp'],
    others: [
      'docker/mcp-registry servers/linear/server.yaml',
      'anthropics/claude-plugins-official external_plugins/linear/.mcp.json',
    ],
  },
});
