/** Writes the types of the TypeScript client from the OpenAPI document. */
import type { DocumentSchema } from '../../contract/text/example-of.ts';

export type ClientDocument = {
  paths: Record<string, Record<string, ClientOperation>>;
  components: {
    schemas: Record<string, DocumentSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
  };
};
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: DocumentSchema };
type Answer = { $ref?: string; content?: Record<string, { schema: DocumentSchema }> };
type ClientOperation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: DocumentSchema }> };
  responses: Record<string, Answer>;
};

const last = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
const doc = (text: unknown) =>
  typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '*\\/')} */ ` : '';
const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** The TypeScript type of a schema. Nouns are references; shared fields, which have names in lower case, are inlined. */
function typeOf(schema: DocumentSchema, schemas: Record<string, DocumentSchema>): string {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const name = last($ref);
    return /^[A-Z]/.test(name) ? `Schemas.${name}` : typeOf(schemas[name] ?? {}, schemas);
  }
  if (Array.isArray(schema['enum'])) return schema['enum'].map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  const options = (schema['anyOf'] ?? schema['oneOf']) as DocumentSchema[] | undefined;
  if (options) return [...new Set(options.map((each) => typeOf(each, schemas)))].join(' | ');
  if (Array.isArray(schema['type']))
    return schema['type'].map((type) => typeOf({ ...schema, type }, schemas)).join(' | ');
  return plainTypeOf(schema, schemas);
}

function plainTypeOf(schema: DocumentSchema, schemas: Record<string, DocumentSchema>): string {
  const inner = (name: string) => typeOf(schema[name] as DocumentSchema, schemas);
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      if (Array.isArray(schema['prefixItems']))
        return `[${schema['prefixItems'].map((each) => typeOf(each as DocumentSchema, schemas)).join(', ')}]`;
      return schema['items'] === undefined ? 'unknown[]' : `Array<${inner('items')}>`;
    case 'object': {
      if (schema['properties'] !== undefined) return objectOf(schema, schemas);
      const more = schema['additionalProperties'];
      return typeof more === 'object' && more !== null
        ? `Record<string, ${inner('additionalProperties')}>`
        : 'Record<string, unknown>';
    }
    default:
      return 'unknown';
  }
}

function objectOf(schema: DocumentSchema, schemas: Record<string, DocumentSchema>): string {
  const required = new Set((schema['required'] ?? []) as string[]);
  const fields = Object.entries(schema['properties'] as Record<string, DocumentSchema>).map(([name, each]) => {
    const { $ref } = each;
    const words = each['description'] ?? (typeof $ref === 'string' ? schemas[last($ref)]?.['description'] : undefined);
    return `  ${doc(words)}${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(each, schemas)};`;
  });
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n}`;
}

const HEAD = '// Generated from the OpenAPI document by `npm run client`. Do not edit.\n';

/** `operations.d.ts`: a type for each noun, and input and reply of each operation. */
export function clientTypes({ paths, components }: ClientDocument): string {
  const { schemas } = components;
  const nouns = Object.entries(schemas)
    .filter(([name]) => /^[A-Z]/.test(name))
    .map(([name, schema]) => `${doc(schema['description'])}export type ${name} = ${typeOf(schema, schemas)};`);
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((each) => {
      const parameters = each.parameters.map((one) => ('$ref' in one ? components.parameters[last(one.$ref)] : one));
      const of = (where: string) => parameters.filter((one) => one?.in === where) as Parameter[];
      const group = (name: string, where: string) => {
        const list = of(where);
        const fields = list.map(
          (one) =>
            `${doc(one.description)}${key(one.name)}${one.required ? '' : '?'}: ${queryType(typeOf(one.schema, schemas), where)}`,
        );
        return list.length === 0
          ? []
          : [`${name}${list.some((one) => one.required) ? '' : '?'}: { ${fields.join('; ')} }`];
      };
      const body = each.requestBody;
      const bodyType = body?.content['application/json'];
      const input = [
        ...group('params', 'path'),
        ...group('query', 'query'),
        ...(body && bodyType ? [`body${body.required ? '' : '?'}: ${typeOf(bodyType.schema, schemas)}`] : []),
      ];
      return `  ${doc(`${each.summary}. ${each.description}`)}${each.operationId}: { input: { ${input.join('; ')} }; reply: ${replyType(each, components)} };`;
    }),
  );
  return `${HEAD}export declare namespace Schemas {\n${nouns.join('\n')}\n}\n\nexport type Operations = {\n${operations.join('\n')}\n};\n`;
}

/** Parameters of a query are text on the wire: a number or boolean is written as text. */
const queryType = (type: string, where: string) => (where === 'path' && type === 'number' ? 'number | string' : type);

function replyType({ responses }: ClientOperation, components: ClientDocument['components']): string {
  const answer = responses['200'] ?? {};
  const found = answer.$ref === undefined ? answer : components.responses[last(answer.$ref)];
  const json = found?.content?.['application/json'];
  return json ? typeOf(json.schema, components.schemas) : 'Response';
}

/** `operations.js`: method and path of each operation, and whether it takes an Idempotency-Key. */
export function clientRoutes({ paths, components }: ClientDocument): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => {
      const takesKey = each.parameters.some((one) => '$ref' in one && one.$ref.endsWith('/Idempotency-Key'));
      const isJson = replyType(each, components) !== 'Response';
      const flags = `${takesKey ? ', takesKey: true' : ''}${isJson ? '' : ', raw: true'}`;
      return `  ${each.operationId}: { method: '${method.toUpperCase()}', path: '${path}'${flags} },`;
    }),
  );
  return `${HEAD}export const operations = {\n${lines.join('\n')}\n};\n`;
}
