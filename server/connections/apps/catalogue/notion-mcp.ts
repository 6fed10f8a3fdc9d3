import { defineApp } from '../definition.ts';

export const notionMcp = defineApp({
  app: 'notion-mcp',
  name: 'Notion MCP',
  description: 'Notion’s own MCP server.',
  category: 'productivity',
  base_url: null,
  docs_url: 'https://developers.notion.com/docs/mcp',
  icon: 'siNotion',
  methods: [{ method: 'MCP', fields: [], server_url: 'https://mcp.notion.com/mcp' }],
  evidence: {
    verified: '2026-11',
    vendor: ['https://developers.notion.com/docs/mcp'],
    others: [
      'docker/mcp-registry servers/notion-remote/server.yaml',
      'anthropics/knowledge-work-plugins design/.mcp.json',
    ],
  },
});
