import { z } from 'zod';
import { operations } from '../../contract/operations.ts';
import { type Operation, operationNames, routes } from '../../contract/routes.ts';
import type { Addresses } from '../lib/addresses.ts';

type JsonSchema = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  return rest;
};

/** The OpenAPI 3.1 document, made from the operations table. Custom verbs stand in the path as they are called. */
export function openApiDocument(addresses: Addresses, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const route = routes[name];
    // The connect window's two operations are for its own page, at another address.
    if (route.on === 'connect') continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description:
        'Connections, triggers, deliveries and functions of one account. Calls to a connected app go to {base_url}/<app>/<native path>.',
    },
    servers: [{ url: addresses.base_url }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'type', 'code'],
          properties: {
            message: { type: 'string' },
            type: { type: 'string' },
            code: { type: 'integer' },
            problems: {
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
          },
        },
      },
      responses: {
        Error: {
          description: 'What is wrong, naming the field and what was expected',
          headers: { 'X-Request-Id': { schema: { type: 'string' } } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  };
}

function describe(name: Operation): JsonSchema {
  const route = routes[name];
  const shape = operations[name];
  const reply = route.stream
    ? { 'text/event-stream': { schema: { type: 'string' } } }
    : {
        'application/json': { schema: schemaOf(shape.reply, 'output') },
        ...(route.alsoStream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
      };
  const error = { $ref: '#/components/responses/Error' };
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.path.split(/[/:]/)[1]],
    ...(route.auth === 'public' ? { security: [] } : {}),
    parameters: [...parameters('path', shape.params), ...parameters('query', shape.query), ...headerParameters(name)],
    ...(shape.body
      ? {
          requestBody: {
            required: !shape.body.isOptional(),
            content: { 'application/json': { schema: schemaOf(shape.body, 'input') } },
          },
        }
      : {}),
    responses: {
      200: { description: 'Done', content: reply },
      400: error,
      ...(route.auth === 'public' ? {} : { 401: error, 403: error }),
      ...(route.path.includes('{') ? { 404: error } : {}),
      ...(route.method === 'POST' ? { 409: error } : {}),
      429: error,
      500: error,
    },
  };
}

function parameters(where: 'path' | 'query', schema: z.ZodType): JsonSchema[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || (required.includes(name) && !('default' in each)),
    schema: each,
  }));
}

function headerParameters(name: Operation): JsonSchema[] {
  if (routes[name].method !== 'POST' || routes[name].auth !== 'account') return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}
