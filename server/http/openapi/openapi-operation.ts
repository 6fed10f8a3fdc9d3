/** One operation of the OpenAPI document. What several operations share is among the components. */
import type { z } from 'zod';
import { operationDescriptions, schemaDescriptions } from '../../../contract/descriptions/descriptions.ts';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX_CHARS } from '../../../contract/limits.ts';
import { operations } from '../../../contract/operations.ts';
import { type Operation, operationNames, type Route, routes } from '../../../contract/routes.ts';
import { IGNORES_QUERY } from '../input.ts';
import { createNamedSchemas, type NamedSchemas, pascalCase } from './named-schemas.ts';
import { errorResponses } from './openapi-errors.ts';
import { type JsonSchema, NAME, schemaOf } from './openapi-schema.ts';

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key of your choice that makes retries safe: for ${IDEMPOTENCY_HOURS} hours the same key with the same path and body, byte for byte, returns the first response with \`Idempotency-Replayed: true\`. With another path or body of the same operation the request is rejected with 409. A retry is also rejected while the first request is still in progress after ten seconds. A failed request frees its key.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: IDEMPOTENCY_KEY_MAX_CHARS,
    examples: ['5c1d7f3a-order-1042'],
  },
};

/** Access to functions of other accounts. */
const IF_PUBLIC = 'Functions of other accounts can be read while they are PUBLIC; otherwise 404.';
const NOT_SHARED = 'Only for functions of the account.';
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

/** The two operations of the connect window are for its page only, under another URL. */
export const documented: readonly Operation[] = operationNames.filter((name) => routes[name].on === 'api');

const ROLES: Record<Route['role'], string> = {
  VIEWER: '',
  ADMIN: 'Requires the role ADMIN.',
  OWNER: 'Requires the role OWNER, which API keys do not have.',
};

function descriptionOf(name: Operation): string {
  const { auth, role, path } = routes[name];
  const isOfFunction = path.startsWith('/functions/{function_id}');
  return [
    operationDescriptions[name] ?? '',
    NOTES[name] ?? (isOfFunction ? NOT_SHARED : ''),
    auth === 'account' ? ROLES[role] : 'No API key required.',
    IGNORES_QUERY.has(name) ? 'Unknown query parameters are ignored.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What the operations of a document share. */
export type SharedParts = {
  schemas: NamedSchemas;
  describe(name: Operation): JsonSchema;
  parameters(): Record<string, JsonSchema>;
  responses(): Record<string, JsonSchema>;
};

/** Creates the parts of one document. */
export function createSharedParts(): SharedParts {
  const schemas = createNamedSchemas();
  const responses: Record<string, JsonSchema> = {};
  const parameters: Record<string, JsonSchema> = { 'Idempotency-Key': IDEMPOTENCY_KEY };
  // Bodies first: their schemas have the plain names.
  const bodies = new Map(
    documented.flatMap((name) => {
      const { body } = operations[name] as { body: z.ZodType | null };
      return body ? [[name, schemas.add(schemaOf(body, 'input'), `${pascalCase(name)}Body`)] as const] : [];
    }),
  );
  const parametersOf = new Map(documented.map((name) => [name, listParameters(schemas, name)]));
  const uses = Map.groupBy([...parametersOf.values()].flat(), ({ parameter }) => JSON.stringify(parameter));

  /** A parameter of several operations is a component: `limit`, or `limit.EventQuery` if another has that name. */
  const parameterOf = ({ owner, parameter }: Owned): JsonSchema => {
    const text = JSON.stringify(parameter);
    if (uses.get(text)?.length === 1) return parameter;
    const short = String(parameter['name']);
    const isTaken = (name: string) => name in parameters && JSON.stringify(parameters[name]) !== text;
    const known = Object.keys(parameters).find((name) => JSON.stringify(parameters[name]) === text);
    const name = known ?? (isTaken(short) ? `${short}.${owner}` : short);
    parameters[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  };

  const repliesOf = countBy(documented.map((name) => operations[name].reply as z.ZodType));
  const replyOf = (name: Operation): JsonSchema => {
    const { stream, alsoStream, file } = routes[name];
    const events = { 'text/event-stream': { schema: { type: 'string', examples: ['event: ready\ndata: {}\n\n'] } } };
    if (stream) return { description: 'A stream of server-sent events.', content: events };
    const schema = schemas.add(schemaOf(operations[name].reply, 'output'), replyName(name));
    const component = String(schema['$ref']).split('/').at(-1) ?? '';
    const description = schemaDescriptions[component]?.[0] ?? 'OK';
    if (file) {
      const content = {
        'application/x-ndjson': { schema },
        'text/csv': { schema: { type: 'string', examples: ['a,b\r\n'] } },
      };
      return { description: 'A file: one line for each.', content };
    }
    const json = { 'application/json': { schema } };
    if (alsoStream) return { description, content: { ...json, ...events } };
    if (repliesOf.get(operations[name].reply as z.ZodType) === 1 && fieldsOf(name).length > 1)
      return { description, content: json };
    responses[component] ??= { description, content: json };
    return { $ref: `#/components/responses/${component}` };
  };

  return {
    schemas,
    parameters: () => parameters,
    responses: () => responses,
    describe: (name) => {
      const route = routes[name];
      const { body } = operations[name] as { body: z.ZodType | null };
      const takesKey = route.method === 'POST' && route.auth === 'account';
      return {
        operationId: name,
        summary: route.summary,
        description: descriptionOf(name),
        tags: [route.path.split(/[/:]/)[1]],
        ...(route.auth === 'public' ? { security: [] } : {}),
        parameters: [
          ...(parametersOf.get(name) ?? []).map(parameterOf),
          ...(takesKey ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
        ],
        ...(body && {
          requestBody: {
            required: !body.isOptional(),
            content: {
              'application/json': { schema: bodies.get(name) },
            },
          },
        }),
        responses: { 200: replyOf(name), ...errorResponses(name) },
      };
    },
  };
}

const fieldsOf = (name: Operation) => Object.keys((operations[name].reply as z.ZodObject).shape ?? {});

function countBy<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** `TriggerReply` for a reply with the field `trigger`. */
function replyName(name: Operation): string {
  const fields = fieldsOf(name);
  if (fields.length === 0) return 'Done';
  return fields.length === 1 && fields[0] ? `${pascalCase(fields[0])}Reply` : `${pascalCase(name)}Reply`;
}

type Owned = { owner: string; parameter: JsonSchema };

function listParameters(schemas: NamedSchemas, name: Operation): Owned[] {
  const { params, query } = operations[name];
  return [...listOf(schemas, name, 'path', params), ...listOf(schemas, name, 'query', query)];
}

function listOf(schemas: NamedSchemas, name: Operation, where: 'path' | 'query', schema: z.ZodType): Owned[] {
  const json = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    [NAME]?: string;
  };
  const owner = json[NAME] ?? name;
  return Object.entries(json.properties ?? {}).map(([field, each]) => {
    const { description, ...rest } = schemas.describe(schemas.add(each, owner + pascalCase(field)), owner, field);
    const type =
      String(rest['$ref'] ?? '')
        .split('/')
        .at(-1) ?? '';
    const words = description ?? schemaDescriptions[type]?.[0];
    const required = where === 'path' || (json.required?.includes(field) && !('default' in each));
    return {
      owner,
      parameter: {
        name: field,
        in: where,
        ...(required ? { required } : {}),
        ...(words === undefined ? {} : { description: words }),
        schema: rest,
      },
    };
  });
}
