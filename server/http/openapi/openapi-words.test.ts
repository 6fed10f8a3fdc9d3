/** Every operation, parameter, field and error of the document has a description and an example, and they are valid. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { accounts } from '../../../contract/descriptions/accounts.ts';
import { connections } from '../../../contract/descriptions/connections.ts';
import { deliveries } from '../../../contract/descriptions/deliveries.ts';
import { functions } from '../../../contract/descriptions/functions.ts';
import { operationDescriptions } from '../../../contract/descriptions/operations.ts';
import { schemas as schemaWords } from '../../../contract/descriptions/schemas.ts';
import { sharedFields } from '../../../contract/descriptions/shared-fields.ts';
import { operations } from '../../../contract/operations.ts';
import { operationNames, routes } from '../../../contract/routes.ts';
import { type DocumentSchema, exampleOf, resolveSchema } from '../../../contract/text/example-of.ts';
import { type Parameter, testDocument } from './test-document.ts';

const document = testDocument();
const { schemas, responses } = document.components;
const described = Object.values(document.paths).flatMap((path) => Object.values(path));
const FILES = { accounts, connections, deliveries, functions, 'shared-fields': sharedFields };

/** The greatest size per operation: that of the document before it had descriptions and examples (290 KB for 104). */
const MAX_BYTES_PER_OPERATION = 2_300;

const isNull = (schema: DocumentSchema) => schema['type'] === 'null';
/** An array or an optional value is described by what it contains. */
const inner = (schema: DocumentSchema): DocumentSchema => {
  const options = schema['anyOf'] as DocumentSchema[] | undefined;
  const [only, ...more] = options?.filter((each) => !isNull(each)) ?? [];
  if (only && more.length === 0) return inner(only);
  return schema['items'] === undefined ? schema : inner(schema['items'] as DocumentSchema);
};
const hasWords = (schema: DocumentSchema): boolean => {
  const found = resolveSchema(schema, schemas);
  if (/\/(?:Id|Timestamp)$/.test(String(schema['$ref']))) return schema['description'] !== undefined;
  return typeof found['description'] === 'string' || (inner(found) !== found && hasWords(inner(found)));
};
const hasExample = (schema: DocumentSchema): boolean => {
  const example = exampleOf(schema, schemas);
  const type = resolveSchema(schema, schemas)['type'];
  const mayBeEmpty = type === 'object' || (Array.isArray(type) && type.includes('null') && example === null);
  return (
    mayBeEmpty ||
    (example !== null && example !== undefined) ||
    resolveSchema(schema, schemas)['examples'] !== undefined
  );
};

const owners = Object.entries(schemas).flatMap(([owner, schema]) =>
  Object.entries((schema['properties'] ?? {}) as Record<string, DocumentSchema>).map(([field, each]) => ({
    owner,
    field,
    each,
  })),
);
const componentOf = <T>(each: { $ref: string }, components: Record<string, T>): T =>
  components[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)] as T;
const parameters = described.flatMap(({ operationId, parameters: all }) =>
  all.map((each) => ({
    operationId,
    parameter: '$ref' in each ? componentOf<Parameter>(each, document.components.parameters) : each,
  })),
);
const add = (file: string, key: string, how = "['What it is.', 'an example']") =>
  `add to contract/descriptions/${file}.ts: '${key}': ${how},`;

describe('the words of the OpenAPI document', () => {
  it('describe every operation', () => {
    const missing = operationNames.filter((name) => routes[name].on === 'api' && !operationDescriptions[name]);
    expect(missing.map((name) => add('operations', name, "'What it does.'"))).toEqual([]);
    for (const { operationId, description } of described) expect(description, operationId).toMatch(/\.$/);
  });

  it('describe every field', () => {
    const missing = owners.filter(({ each }) => !hasWords(each));
    expect([...new Set(missing.map(({ owner, field }) => add('<domain>', `${owner}.${field}`)))]).toEqual([]);
  });

  it('have an example of every field', () => {
    const missing = owners.filter(({ each }) => !hasExample(each));
    expect([...new Set(missing.map(({ owner, field }) => add('<domain>', `${owner}.${field}`)))]).toEqual([]);
  });

  it('describe every parameter, with an example', () => {
    const missing = parameters.filter(({ parameter }) => !parameter.description || !hasExample(parameter.schema));
    expect(missing.map(({ operationId, parameter }) => add('<domain>', `${operationId}.${parameter.name}`))).toEqual(
      [],
    );
  });

  it('describe every error, with an example', () => {
    for (const { operationId, responses: own } of described)
      for (const [status, response] of Object.entries(own).filter(([each]) => each !== '200')) {
        const found =
          responses[
            String((response as { $ref: string }).$ref)
              .split('/')
              .at(-1) ?? ''
          ];
        const content = found?.content['application/json'];
        expect(found?.description, `${operationId} ${status}`).toMatch(/\.$/);
        expect(content?.example ?? content?.examples, `${operationId} ${status}`).toBeTypeOf('object');
      }
  });

  it('have no word for what does not exist', () => {
    const fields = new Set([...owners.map(({ field }) => field), ...parameters.map(({ parameter }) => parameter.name)]);
    const queries = operationNames.flatMap((name) => Object.keys((operations[name].query as z.ZodObject).shape));
    const isKnown = (key: string) => {
      const [owner = '', field = ''] = key.split('.');
      if (!key.includes('.')) return fields.has(key);
      return owners.some((each) => each.owner === owner && each.field === field) || queries.includes(field);
    };
    const stale = Object.entries(FILES).flatMap(([file, words]) =>
      Object.keys(words)
        .filter((key) => !isKnown(key))
        .map((key) => `remove from contract/descriptions/${file}.ts: ${key}`),
    );
    const operationWords = Object.keys(operationDescriptions).filter((name) => !(name in routes));
    const nouns = Object.keys(schemaWords).filter((name) => !(name in schemas));
    expect([...stale, ...operationWords, ...nouns]).toEqual([]);
  });

  it('are said once', () => {
    const keys = Object.values(FILES).flatMap((words) => Object.keys(words));
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
  });

  it('are no larger per operation than the document was without them', () => {
    expect(JSON.stringify(document).length / described.length).toBeLessThan(MAX_BYTES_PER_OPERATION);
  });
});

describe('examples of the OpenAPI document', () => {
  it('satisfy their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false });
    ajv.addSchema({ $id: 'document', components: { schemas } });
    const invalid = Object.entries(schemas).flatMap(([name, schema]) => {
      const validate = ajv.getSchema(`document#/components/schemas/${name}`);
      return validate?.(exampleOf(schema, schemas)) ? [] : [`${name}: ${ajv.errorsText(validate?.errors)}`];
    });
    expect(invalid).toEqual([]);
  });

  it('are accepted by the service as bodies', () => {
    const refused = described.flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json'].schema;
      const body = operations[operationId as keyof typeof operations].body as z.ZodType | null;
      if (!schema || !body) return [];
      const result = body.safeParse(exampleOf(schema, schemas, true));
      return result.success
        ? []
        : [
            `${operationId} ${schema['$ref']}: ${result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
          ];
    });
    expect(refused).toEqual([]);
  });

  it('are accepted by the service as parameters', () => {
    const refused = parameters.flatMap(({ operationId, parameter: { name, in: where, schema } }) => {
      if (where === 'header') return [];
      const { params, query } = operations[operationId as keyof typeof operations];
      const all = (where === 'path' ? params : query) as z.ZodObject;
      const result = (all.shape[name] as z.ZodType).safeParse(String(exampleOf(schema, schemas)));
      return result.success ? [] : [`${operationId}.${name}: ${result.error.issues[0]?.message}`];
    });
    expect(refused).toEqual([]);
  });
});
