/** Example values from the OpenAPI document, for its reference and for the test that every example is valid. */

/** A JSON Schema of the document. */
export type DocumentSchema = { readonly [key: string]: unknown };

const DEEPEST = 12;

/** The schema that a reference names, with the words beside the reference; the schema as it is without a reference. */
export function resolveSchema(
  schema: DocumentSchema,
  schemas: Readonly<Record<string, DocumentSchema>>,
): DocumentSchema {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...resolveSchema(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas), ...beside };
}

/**
 * An example of a value: that of the schema, or one that consists of the examples of its fields. With `onlyRequired`,
 * an object has its required fields only, as in the shortest valid request.
 */
export function exampleOf(
  schema: DocumentSchema,
  schemas: Readonly<Record<string, DocumentSchema>>,
  onlyRequired = false,
  depth = 0,
): unknown {
  const found = resolveSchema(schema, schemas);
  const [example] = (found['examples'] ?? []) as unknown[];
  if (example !== undefined) return example;
  if (found['const'] !== undefined) return found['const'];
  if (found['default'] != null) return found['default'];
  if (Array.isArray(found['enum'])) return found['enum'][0];
  if (depth > DEEPEST) return null;
  const options = (found['anyOf'] ?? found['oneOf']) as DocumentSchema[] | undefined;
  if (options) {
    const option = options.find((each) => each['type'] !== 'null') ?? {};
    return exampleOf(option, schemas, onlyRequired, depth + 1);
  }
  if (Array.isArray(found['prefixItems']))
    return found['prefixItems'].map((each) => exampleOf(each, schemas, onlyRequired, depth + 1));
  if (found['items'] !== undefined)
    return [exampleOf(found['items'] as DocumentSchema, schemas, onlyRequired, depth + 1)];
  const properties = found['properties'] as Record<string, DocumentSchema> | undefined;
  if (!properties) return found['type'] === 'object' ? {} : null;
  const required = new Set((found['required'] ?? []) as string[]);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !onlyRequired || required.has(name))
      .map(([name, each]) => [name, exampleOf(each, schemas, onlyRequired, depth + 1)]),
  );
}
