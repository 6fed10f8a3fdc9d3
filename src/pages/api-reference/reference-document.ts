/** The OpenAPI document as the reference reads it. It is fetched once. */
import { type DocumentSchema, resolveSchema } from '../../../contract/text/example-of.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: DocumentSchema;
};
type Content = Readonly<Record<string, { readonly schema: DocumentSchema; readonly example?: unknown }>>;
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
};
export type Answer = { readonly $ref?: string; readonly description?: string; readonly content?: Content };

export type ReferenceOperation = Omit<Described, 'parameters'> & {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
};
export type ReferenceDocument = {
  readonly info: { readonly version: string; readonly description: string; readonly 'x-public'?: boolean };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};
export type Reference = {
  readonly document: ReferenceDocument;
  readonly baseUrl: string;
  readonly operations: readonly ReferenceOperation[];
};

const last = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** The operations of a document, in its order. */
export function readDocument(document: ReferenceDocument): Reference {
  const { parameters } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      path,
      method: method.toUpperCase(),
      parameters: described.parameters.flatMap((each) => ('$ref' in each ? (parameters[last(each.$ref)] ?? []) : each)),
    })),
  );
  return { document, operations, baseUrl: document.servers[0]?.url ?? '' };
}

let loading: Promise<Reference> | undefined;

/** Fetches the document, the first time only. */
export function loadReference(): Promise<Reference> {
  loading ??= fetch('/api/openapi.json')
    .then(async (response) => {
      if (!response.ok) throw new Error('The OpenAPI document could not be loaded.');
      return readDocument((await response.json()) as ReferenceDocument);
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** Operations by noun. Those in which all words of the search occur. */
export function groupsOf({ document, operations }: Reference, search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (each: ReferenceOperation) => {
    const text = `${each.operationId} ${each.summary} ${each.method} ${each.path} ${each.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return document.tags
    .map((tag) => ({ ...tag, operations: operations.filter((each) => each.tags[0] === tag.name && isFound(each)) }))
    .filter((group) => group.operations.length > 0);
}

/** A tag as a heading: "API keys" for `api-keys`. */
export const nounOf = (tag: string): string =>
  (tag.charAt(0).toUpperCase() + tag.slice(1)).replaceAll('-', ' ').replace(/^Api\b/, 'API');

export const bodyOf = (operation: ReferenceOperation): DocumentSchema | undefined =>
  operation.requestBody?.content['application/json']?.schema;

/** The responses of an operation with the components they refer to. */
export function answersOf({ document }: Reference, operation: ReferenceOperation): [string, Answer][] {
  const { responses } = document.components;
  return Object.entries(operation.responses).map(([status, answer]) => [
    status,
    answer.$ref === undefined ? answer : (responses[last(answer.$ref)] ?? answer),
  ]);
}

/** The type in words: `string (uuid)`, `array of Trigger`, `integer or null`. */
export function typeText(schema: DocumentSchema, schemas: ReferenceDocument['components']['schemas']): string {
  const { $ref } = schema;
  const found = resolveSchema(schema, schemas);
  const name = typeof $ref === 'string' ? last($ref) : '';
  if (found['properties'] !== undefined) return /^[A-Z]/.test(name) ? name : 'object';
  if (Array.isArray(found['enum'])) return found['enum'].map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in found) return JSON.stringify(found['const']);
  const options = (found['anyOf'] ?? found['oneOf']) as DocumentSchema[] | undefined;
  if (options) return [...new Set(options.map((each) => typeText(each, schemas)))].join(' or ');
  if (found['type'] === 'array') return `array of ${typeText((found['items'] ?? {}) as DocumentSchema, schemas)}`;
  const types = [found['type']].flat().filter(Boolean).join(' or ') || 'any JSON value';
  return found['format'] === undefined ? types : `${types} (${String(found['format'])})`;
}

/** The object within a field: of an array its items, of an optional object the object. */
export function objectIn(
  schema: DocumentSchema,
  schemas: ReferenceDocument['components']['schemas'],
): DocumentSchema | undefined {
  const found = resolveSchema(schema, schemas);
  if (found['properties'] !== undefined) return found;
  if (found['items'] !== undefined) return objectIn(found['items'] as DocumentSchema, schemas);
  const [only, ...more] = ((found['anyOf'] ?? []) as DocumentSchema[]).filter(({ type }) => type !== 'null');
  return only && more.length === 0 ? objectIn(only, schemas) : undefined;
}
