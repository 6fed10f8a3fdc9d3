import { routes } from '../../../contract/routes.ts';
import type { Addresses } from '../../lib/addresses.ts';
import { errorComponents, errorSchemas } from './openapi-errors.ts';
import { createSharedParts, documented } from './openapi-operation.ts';
import type { JsonSchema } from './openapi-schema.ts';

/**
 * Generates the OpenAPI 3.1 document from the operations. Custom verbs are part of the path, as callers see them.
 * `isPublic`: the console shows the reference without a session.
 */
export function openApiDocument(addresses: Addresses, version: string, isPublic = false): JsonSchema {
  const parts = createSharedParts();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of documented) {
    const { path, method } = routes[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: parts.describe(name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
      ...(isPublic ? { 'x-public': true } : {}),
    },
    servers: [{ url: addresses.base_url }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account' } },
      headers: HEADERS,
      parameters: parts.parameters(),
      responses: { ...parts.responses(), ...errorComponents() },
      schemas: { ...parts.schemas.all(), ...errorSchemas() },
    },
  };
}

const ABOUT = `Connections, triggers, deliveries and functions of one account. Calls to a connected app go to \`{base_url}/<app>/<native path>\`.

- **Errors** have one shape, and every response has an \`X-Request-Id\`.
- **Unknown query parameters** are rejected with 400, unless the operation ignores them. A parameter that is repeated or empty is also rejected.
- **Unknown body fields** are rejected with 400.
- **Paths** have no trailing slash. Percent-encoded letters, digits and \`-._~\` are decoded.
- **Text** is UTF-8 without NUL and lone surrogates. Payloads of events are exempt: they are stored unchanged.
- **Lists** are paginated: pass \`next_token\` to get the next page. A \`limit\` above the maximum is reduced to it.`;

const HEADERS: JsonSchema = {
  'X-Request-Id': {
    description: 'Identifies the request in the audit log and in the logs of the service.',
    schema: { type: 'string', examples: ['01a0b6f2-5c1d-7f3a-9c55-2f4f6a1c7d10'] },
  },
  Allow: {
    description: 'The methods that the path supports.',
    schema: { type: 'string', examples: ['GET, PATCH'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', examples: [1] },
  },
};

const TAGS: Record<string, string> = {
  apps: 'Built-in and custom apps',
  connections: 'Connections to apps, and calls through the gateway',
  'gateway-calls': 'Gateway calls of all connections, and refused ones',
  'gateway-captures': 'Captures of the requests and responses of gateway calls',
  'connect-sessions': 'Sessions in which an end user connects an app',
  'connect-settings': 'Origins, colour and logo of the connect window',
  triggers: 'Triggers, destinations, events and deliveries',
  events: 'Events of all triggers',
  replays: 'Bulk replays',
  problems: 'Problems: failures by their cause',
  functions: 'Hosted functions, their versions, runs, logs and environment',
  runs: 'Runs of all functions',
  search: 'Saved searches of functions',
  'api-keys': 'API keys of the account',
  impact: 'What breaks when something is removed',
  lookup: 'Finding a resource by its ID',
  account: 'The account and its members',
  audit: 'Audit log of changes',
  session: 'Signing in to the console',
};
