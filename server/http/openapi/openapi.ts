import type { z } from 'zod';
import type { Required } from '../../../contract/errors.ts';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX_CHARS } from '../../../contract/limits.ts';
import { operations } from '../../../contract/operations.ts';
import { type Operation, operationNames, type Route, routes } from '../../../contract/routes.ts';
import { FACTORS } from '../../../contract/states.ts';
import type { Addresses } from '../../lib/addresses.ts';
import { IGNORES_QUERY } from '../input.ts';
import { errorComponents, errorResponses } from './openapi-errors.ts';
import { type JsonSchema, schemaOf } from './openapi-schema.ts';

/** Generates the OpenAPI 3.1 document from the operations. Custom verbs are part of the path, as callers see them. */
export function openApiDocument(addresses: Addresses, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const route = routes[name];
    // The two operations of the connect window are for its page only, under another URL.
    if (route.on === 'connect') continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(name) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: addresses.base_url }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account' } },
      parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY },
      schemas: { Error: ERROR },
      responses: errorComponents(),
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

const TAGS: Record<string, string> = {
  session: 'Signing in to the console',
  account: 'The account and its members',
  'api-keys': 'API keys of the account',
  audit: 'Audit log of changes',
  lookup: 'Finding a resource by its ID',
  impact: 'What breaks when something is removed',
  apps: 'Built-in and custom apps',
  connections: 'Connections to apps, and calls through the gateway',
  'connect-sessions': 'Sessions in which an end user connects an app',
  'connect-settings': 'Origins, colour and logo of the connect window',
  triggers: 'Triggers, destinations, events and deliveries',
  events: 'Events of all triggers',
  replays: 'Bulk replays',
  problems: 'Problems: failures by their cause',
  functions: 'Hosted functions, their versions, runs, logs and environment',
  runs: 'Runs of all functions',
  search: 'Saved searches of functions',
};

const ERROR: JsonSchema = {
  type: 'object',
  required: ['message', 'type', 'code'],
  properties: {
    message: { type: 'string' },
    type: { type: 'string' },
    code: { type: 'integer' },
    problems: {
      description: 'Errors in a function’s code, with their locations',
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'line', 'column', 'text'],
        properties: {
          file: { type: 'string' },
          line: { type: 'integer' },
          column: { type: 'integer' },
          text: { type: 'string' },
        },
      },
    },
    required: {
      description: 'What a person has to do first',
      enum: ['CONFIRM_PASSWORD', 'SECOND_FACTOR', 'SET_UP_SECOND_FACTOR'] satisfies Required[],
    },
    factors: {
      description: 'With SECOND_FACTOR: the factors that the person can use',
      type: 'array',
      items: { enum: FACTORS },
    },
  },
};

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key of your choice that makes retries safe: for ${IDEMPOTENCY_HOURS} hours the same key with the same path and body, byte for byte, returns the first response with \`Idempotency-Replayed: true\`. With another path or body of the same operation the request is rejected with 409. A retry is also rejected while the first request is still in progress after ten seconds. A failed request frees its key.`,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARS },
};

/** Access to functions of other accounts. */
const IF_PUBLIC = 'Functions of other accounts can be read while they are PUBLIC; otherwise 404.';
const NOT_SHARED = 'Functions of other accounts are 404, also while they are PUBLIC.';
const NOTES: Partial<Record<Operation, string>> = {
  functionGet: IF_PUBLIC,
  functionCode: IF_PUBLIC,
  functionFiles: IF_PUBLIC,
  functionTrust: IF_PUBLIC,
  functionSymbols: IF_PUBLIC,
  versionList: IF_PUBLIC,
  versionGet: IF_PUBLIC,
  functionCopy: 'Functions of other accounts can be copied while they are PUBLIC; otherwise 404.',
  functionStar: 'Functions of other accounts can be starred while they are PUBLIC; otherwise 404.',
  functionUnstar: 'Functions of other accounts can be starred while they are PUBLIC; otherwise 404.',
  runGet: 'Once the response of the function is complete, the finished run is returned.',
};

const ROLES: Record<Route['role'], string> = {
  VIEWER: 'Available to API keys and members with any role.',
  ADMIN: 'Available to API keys and members with the role ADMIN or OWNER.',
  OWNER: 'Available to members with the role OWNER.',
};

function descriptionOf(name: Operation): string {
  const { auth, role, path, method } = routes[name];
  const isOfFunction = path.startsWith('/functions/{function_id}');
  return [
    NOTES[name] ?? (isOfFunction ? NOT_SHARED : ''),
    auth === 'account' ? ROLES[role] : 'No authentication required.',
    IGNORES_QUERY.has(name)
      ? 'Unknown query parameters are ignored.'
      : 'Unknown query parameters are rejected with 400.',
    method === 'POST' && auth === 'account' ? 'Supports an Idempotency-Key.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function describe(name: Operation): JsonSchema {
  const route = routes[name];
  const shape = operations[name];
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  const reply = route.stream
    ? stream
    : route.file
      ? fileOf(shape.reply)
      : {
          'application/json': { schema: schemaOf(shape.reply, 'output') },
          ...(route.alsoStream ? stream : {}),
        };
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(name),
    tags: [route.path.split(/[/:]/)[1]],
    ...(route.auth === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters('path', shape.params),
      ...parameters('query', shape.query),
      ...(route.method === 'POST' && route.auth === 'account'
        ? [{ $ref: '#/components/parameters/Idempotency-Key' }]
        : []),
    ],
    ...(shape.body
      ? {
          requestBody: {
            required: !shape.body.isOptional(),
            content: { 'application/json': { schema: schemaOf(shape.body, 'input') } },
          },
        }
      : {}),
    responses: {
      200: { description: 'OK', headers: { 'X-Request-Id': { schema: { type: 'string' } } }, content: reply },
      ...errorResponses(name),
    },
  };
}

/** Content of an export: each line of `application/x-ndjson` has the schema. */
const fileOf = (line: z.ZodType): JsonSchema => ({
  'application/x-ndjson': { schema: schemaOf(line, 'output') },
  'text/csv': { schema: { type: 'string' } },
});

function parameters(where: 'path' | 'query', schema: z.ZodType): JsonSchema[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...each }]) => ({
    name,
    in: where,
    required: where === 'path' || (required.includes(name) && !('default' in each)),
    ...(description === undefined ? {} : { description }),
    schema: each,
  }));
}
