/**
 * Holds the replies of API tests against the OpenAPI document: an undocumented status, an unknown field or a value of
 * another type fails the test. Validators are compiled when an operation first replies with a status.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Operation, operationNames, routes } from '../../contract/routes.ts';
import type { DocumentSchema } from '../../contract/text/example-of.ts';
import { testDocument } from '../http/openapi/test-document.ts';

type Reply = { status: number; headers: Headers; body: unknown };
type Content = Record<string, { schema: DocumentSchema; examples?: Record<string, unknown> }>;
type Response = { content?: Content; $ref?: string };

const document = testDocument();
const responses = document.components.responses as Record<string, Response>;
const described = new Map(
  Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => [each.operationId, each] as const)),
);

/** In the document objects are open, because replies may get more fields. Here they are not. */
const closed = (schema: DocumentSchema): DocumentSchema =>
  schema['properties'] === undefined ? schema : { ...schema, additionalProperties: false };

// Schemas of requests and scalars are closed or have no fields.
const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, validateSchema: false });
ajv.addSchema({
  $id: 'document',
  components: {
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)]),
    ),
  },
});

const byMethod = Map.groupBy(
  operationNames
    .filter((name) => routes[name].on === 'api')
    .map((name) => ({
      name,
      method: routes[name].method as string,
      pattern: new RegExp(`^${routes[name].path.replace(/\{\w+\}/g, '[^/:]+')}$`),
      parameters: routes[name].path.split('{').length,
    }))
    // `/functions/stats` before `/functions/{function_id}`
    .sort((a, b) => a.parameters - b.parameters),
  ({ method }) => method,
);

const found = <T extends { $ref?: string }>(each: T, components: Record<string, T>): T =>
  each.$ref === undefined ? each : (components[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)] as T);

function responseOf(operation: Operation, status: number): Response | undefined {
  const own = (described.get(operation)?.responses ?? {}) as Record<string, Response>;
  const listed = own[String(status)];
  if (listed) return found(listed, responses);
  const usual = found(own['default'] ?? {}, responses);
  return String(status) in (usual.content?.['application/json']?.examples ?? {}) ? usual : undefined;
}

const validators = new Map<string, ValidateFunction>();
function validatorOf(operation: Operation, status: number, schema: DocumentSchema): ValidateFunction {
  const key = `${operation} ${status}`;
  const known = validators.get(key);
  if (known) return known;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  const validate = ajv.compile(absolute);
  validators.set(key, validate);
  return validate;
}

/** Throws if the reply is not as the document describes it. Paths that are no operation are not checked. */
export function checkReply(method: string, path: string, { status, headers, body }: Reply): void {
  const [plain = ''] = path.split('?');
  const operation = byMethod.get(method)?.find(({ pattern }) => pattern.test(plain))?.name;
  if (!operation) return;
  const response = responseOf(operation, status);
  if (!response) throw new Error(`${operation}: status ${status} is not in the OpenAPI document`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema || !headers.get('content-type')?.startsWith('application/json')) return;
  const validate = validatorOf(operation, status, schema);
  if (!validate(body))
    throw new Error(`${operation} ${status} is not as the OpenAPI document says: ${ajv.errorsText(validate.errors)}`);
}
