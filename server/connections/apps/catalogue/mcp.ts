import { defineApp, type FieldDefinition, secret, text } from '../definition.ts';

const serverUrl: FieldDefinition = {
  name: 'server_url',
  label: 'Server URL',
  type: 'url',
  secret: false,
  required: true,
  pattern: 'https?://[^\\s/?#@]+[^\\s?#]*',
  help: 'For example https://mcp.example.com/mcp.',
};
const optional = (field: FieldDefinition): FieldDefinition => ({ ...field, required: false });
const token = optional(
  secret('token', 'Token', 'Only for a server that requires a token. Other servers redirect you to sign in.'),
);
const client = [
  optional(text('client_id', 'Client ID', 'Only for a server without dynamic client registration.')),
  optional(secret('client_secret', 'Client secret', null)),
];

/** Any MCP server, by the entered URL. */
export const mcp = defineApp({
  app: 'mcp',
  name: 'MCP server',
  description: 'A Model Context Protocol server of your choice.',
  category: 'built-in',
  base_url: null,
  docs_url: 'https://modelcontextprotocol.io',
  icon: 'siModelcontextprotocol',
  methods: [{ method: 'MCP', fields: [serverUrl, token, ...client], server_url: '{server_url}' }],
  evidence: {
    verified: '2026-11',
    vendor: ['modelcontextprotocol/modelcontextprotocol docs/specification/2025-11-25/basic/authorization.mdx'],
    others: ['modelcontextprotocol/typescript-sdk src/client/auth.ts'],
  },
});
