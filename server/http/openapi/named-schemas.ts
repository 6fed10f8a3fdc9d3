/**
 * Moves the schemas of objects and enumerations to the components of the document, where each is once. A schema that the
 * contract exports has the name of its export, others a name derived from where they are.
 */
import { fieldDescriptions, schemaDescriptions } from '../../../contract/descriptions/descriptions.ts';
import { type JsonSchema, NAME, OF_REQUEST } from './openapi-schema.ts';
import { enumName } from './schema-names.ts';

export type NamedSchemas = {
  /** A reference to the schema, which is among the components afterwards; as it is if it needs no name. */
  add(schema: JsonSchema, hint: string): JsonSchema;
  /** Adds descriptions and examples to a field or parameter of `owner`. */
  describe(schema: JsonSchema, owner: string, field: string): JsonSchema;
  /** All components, in alphabetical order. */
  all(): Record<string, JsonSchema>;
};

const ANNOTATIONS = new Set(['description', 'default', 'examples', NAME]);
/** Scalars that many fields share. */
const SCALARS = new Set(['Id', 'Timestamp']);

export const pascalCase = (name: string) =>
  name.replace(/(?:^|[_-])([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
const singular = (name: string) => name.replace(/(?:ies)$/, 'y').replace(/([^su])s$/, '$1');

export function createNamedSchemas(): NamedSchemas {
  const components = new Map<string, JsonSchema>();
  const texts = new Map<string, string>();
  const names = new Map<string, string>();

  const refer = (schema: JsonSchema, wanted: string, isDerived: boolean): JsonSchema => {
    const bare = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key)));
    const text = JSON.stringify(undescribed(bare));
    let name = isDerived ? (names.get(text) ?? wanted) : wanted;
    // What a request may leave out, a reply has; one schema is enough for both.
    if (isEither(texts.get(name), text)) return reference(name, schema);
    for (let attempt = 0; texts.has(name) && texts.get(name) !== text; attempt++)
      name = `${wanted}Output${attempt === 0 ? '' : attempt + 1}`;
    if (!texts.has(name)) {
      texts.set(name, text);
      if (!names.has(text)) names.set(text, name);
      components.set(name, bare);
    }
    return reference(name, schema);
  };

  const add = (schema: JsonSchema, hint: string): JsonSchema => {
    const exported = schema[NAME] as string | undefined;
    const name = exported ?? hint;
    if (schema[OF_REQUEST] && exported !== undefined && components.has(exported)) return reference(exported, schema);
    const result = { ...schema };
    delete result[NAME];
    delete result[OF_REQUEST];
    if (isObject(schema['properties']))
      result['properties'] = Object.fromEntries(
        Object.entries(schema['properties'] as Record<string, JsonSchema>).map(([field, each]) => [
          field,
          add(each, name + pascalCase(field)),
        ]),
      );
    if (isObject(schema['items'])) result['items'] = add(schema['items'] as JsonSchema, singular(hint));
    if (isObject(schema['additionalProperties']))
      result['additionalProperties'] = add(schema['additionalProperties'] as JsonSchema, singular(hint));
    if (isObject(schema['propertyNames']))
      result['propertyNames'] = add(schema['propertyNames'] as JsonSchema, `${hint}Key`);
    for (const key of ['anyOf', 'oneOf', 'prefixItems'] as const)
      if (Array.isArray(schema[key]))
        result[key] = (schema[key] as JsonSchema[]).map((each, index, all) =>
          add(
            each,
            all.filter(({ properties }) => properties).length > 1
              ? optionName(each, exported ?? hint, index)
              : (exported ?? hint),
          ),
        );
    if (Array.isArray(result['enum'])) {
      const known = enumName(result['enum']) ?? exported;
      if (known !== undefined) return refer(result, known, true);
    }
    if (result['properties'] !== undefined) return refer(result, name, exported === undefined);
    if (exported !== undefined && SCALARS.has(exported)) return refer(result, exported, false);
    return short(result);
  };

  const describe = (schema: JsonSchema, owner: string, field: string): JsonSchema => {
    const said = fieldDescriptions[`${owner}.${field}`];
    // A field that has the type of a described schema needs no words but those that are its own.
    const type =
      String(schema['$ref'] ?? '')
        .split('/')
        .at(-1) ?? '';
    const isDescribed = type in schemaDescriptions && !SCALARS.has(type);
    const usual = isDescribed ? undefined : fieldDescriptions[field];
    const description = said?.[0] || schema['description'] || usual?.[0];
    const [example] = [said, usual ?? fieldDescriptions[field]]
      .flatMap((each) => (each && each.length > 1 ? [each[1]] : []))
      .filter((each) => fits(each, schema));
    return {
      ...schema,
      ...(description ? { description } : {}),
      ...(hasExample(schema) ? {} : exampleFor(schema, example)),
    };
  };

  const described = (name: string, { properties, ...rest }: JsonSchema): JsonSchema => {
    const [description, example] = schemaDescriptions[name] ?? [];
    const values = (rest as { enum?: unknown[] }).enum;
    return {
      ...(description === undefined ? {} : { description }),
      ...rest,
      ...(example === undefined ? {} : { examples: [example] }),
      ...(example === undefined && values ? { examples: [values[0]] } : {}),
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties as Record<string, JsonSchema>).map(([field, each]) => [
                field,
                describe(each, name, field),
              ]),
            ),
          }
        : {}),
    };
  };

  return {
    add,
    describe,
    all: () =>
      shareFields(Object.fromEntries([...components].map(([name, schema]) => [name, described(name, schema)]))),
  };
}

/**
 * Fields with the same name, type and words in several schemas are one component with the name of the field, such as
 * `created_at`; `created_at.null` if it may be null.
 */
function shareFields(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const owners = Object.entries(schemas).flatMap(([owner, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([field, schema]) => ({
      owner,
      field,
      schema,
    })),
  );
  const isShared = ({ schema }: { schema: JsonSchema }) =>
    schema['default'] === undefined && schema['description'] !== undefined;
  const groups = Map.groupBy(owners.filter(isShared), ({ field, schema }) => field + JSON.stringify(schema));
  // Generators of clients make the same class of `delivery_counts` and `DeliveryCounts`, and then leave one out.
  const classes = new Set(Object.keys(schemas).map(className));
  const shared: Record<string, JsonSchema> = {};
  for (const uses of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const [{ owner, field, schema }] = uses as [(typeof uses)[0]];
    const isNullable = Array.isArray(schema['type']) || JSON.stringify(schema['anyOf'] ?? []).includes('"null"');
    const name = [field, `${field}.null`, `${field}.${owner}`].find(
      (each, index) =>
        !(each in shared) && (index === 2 || (isNullable === (index === 1) && !classes.has(className(each)))),
    );
    if (uses.length < 2 || !name) continue;
    shared[name] = schema;
    for (const use of uses)
      (schemas[use.owner]?.['properties'] as Record<string, JsonSchema>)[field] = {
        $ref: `#/components/schemas/${name}`,
      };
  }
  return Object.fromEntries(Object.entries({ ...schemas, ...shared }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const className = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase();

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const reference = (name: string, { description, default: value }: JsonSchema): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
  ...(description === undefined ? {} : { description }),
  ...(value === undefined ? {} : { default: value }),
});

/** Whether two schemas differ in required and unknown fields only. */
const isEither = (a: string | undefined, b: string): boolean => a !== undefined && loose(a) === loose(b);
const loose = (text: string) =>
  text
    .replace(/,?"required":\[[^\]]*\]/g, '')
    .replaceAll(',"additionalProperties":false', '')
    .replace(/,"default":(?:"[^"]*"|[\w.]+|\{\}|\[\])/g, '');

/** Options of a union are named after the value that distinguishes them. */
function optionName(option: JsonSchema, name: string, index: number): string {
  const properties = (option['properties'] ?? {}) as Record<string, JsonSchema>;
  const tag = Object.values(properties).find((each) => typeof each['const'] === 'string')?.['const'];
  const [only] = Object.keys(properties);
  return name + pascalCase(String(tag ?? only ?? index).toLowerCase());
}

/** `type: ['string', 'null']` instead of two alternatives. */
function short(schema: JsonSchema): JsonSchema {
  const [first, second, ...more] = (schema['anyOf'] as JsonSchema[] | undefined) ?? [];
  if (!first || more.length > 0 || JSON.stringify(second) !== '{"type":"null"}') return schema;
  if (typeof first['type'] !== 'string' || 'enum' in first || 'const' in first) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...first, ...rest, type: [first['type'], 'null'] };
}

/** Without the annotations of the fields, which do not make another schema. */
function undescribed(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, function (key, value) {
      const inProperties = this === schema['properties'];
      return key === 'description' && typeof value === 'string' && !inProperties ? undefined : value;
    }),
  ) as JsonSchema;
}

function hasExample(schema: JsonSchema): boolean {
  if (schema['examples'] !== undefined || schema['const'] !== undefined || schema['properties'] !== undefined)
    return true;
  if (typeof schema['$ref'] === 'string') return true;
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (options) return options.some((each) => each['type'] !== 'null' && hasExample(each));
  if (isObject(schema['items'])) return hasExample(schema['items']);
  return false;
}

/** Whether an example of a field name is one of this field: it may be a number in one schema and text in another. */
function fits(example: unknown, schema: JsonSchema): boolean {
  const values = (schema['enum'] ?? (schema['items'] as JsonSchema | undefined)?.['enum']) as unknown[] | undefined;
  if (values) return [example].flat().every((each) => values.includes(each));
  const types = [schema['type']].flat();
  if (types.length === 0 || types[0] === undefined) return true;
  const type = example === null ? 'null' : Array.isArray(example) ? 'array' : typeof example;
  if (type === 'number') return types.includes('number') || (types.includes('integer') && Number.isInteger(example));
  if (type === 'string' && typeof schema['pattern'] === 'string')
    return new RegExp(schema['pattern']).test(String(example));
  return types.includes(type);
}

function exampleFor(schema: JsonSchema, example: unknown): JsonSchema {
  if (example !== undefined) return { examples: [example] };
  const { items } = schema as { items?: JsonSchema };
  if (Array.isArray(schema['enum'])) return { examples: [schema['enum'][0]] };
  if (Array.isArray(items?.['enum'])) return { examples: [[items['enum'][0]]] };
  return [schema['type']].flat().includes('boolean') ? { examples: [true] } : {};
}
