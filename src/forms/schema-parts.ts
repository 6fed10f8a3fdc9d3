/** Extracts what a form needs from a JSON Schema, in any of its equivalent notations. */

export interface Choice {
  /** The value in the form. */
  readonly value: string;
  readonly label: string;
  /** The value to send. */
  readonly given: unknown;
}

export interface Constraints {
  readonly number?: boolean;
  readonly whole?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaParts {
  readonly kind: 'text' | 'number' | 'yes-no' | 'list' | 'object' | 'other';
  readonly words: { readonly title?: string; readonly description?: string; readonly example?: unknown };
  readonly start: unknown;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
  /** The properties of an object. */
  readonly properties: readonly (readonly [name: string, schema: Schema])[];
  readonly required: ReadonlySet<unknown>;
  /** The object may have properties that are not listed. */
  readonly free: boolean;
  /** The items of a list. */
  readonly items: Pick<SchemaParts, 'kind' | 'choices' | 'constraints'>;
}

const NO_ITEMS: SchemaParts['items'] = { kind: 'other', choices: [], constraints: {} };
const REFS_MAX = 16;

/** Resolves references within `root` and unwraps nullable types. */
export function schemaParts(root: Schema, given: Schema): SchemaParts {
  const schema = narrowed(root, given);
  const { items } = schema;
  const choices = choicesOf(schema);
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const examples = schema['examples'];
  const title = textOf(schema['title']);
  const description = textOf(schema['description']);
  return {
    kind: kindOf(schema),
    words: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] } : {}),
    },
    start: schema['default'] ?? (choices.length === 1 && 'const' in schema ? schema['const'] : undefined),
    choices,
    constraints: constraintsOf(schema),
    properties: properties.filter((each): each is [string, Schema] => isSchema(each[1])),
    required: new Set(Array.isArray(schema['required']) ? schema['required'] : []),
    free: isFree(schema, properties.length),
    items: isSchema(items) ? itemsOf(root, items) : NO_ITEMS,
  };
}

function itemsOf(root: Schema, given: Schema): SchemaParts['items'] {
  const schema = narrowed(root, given);
  return { kind: kindOf(schema), choices: choicesOf(schema), constraints: constraintsOf(schema) };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const KINDS: Readonly<Record<string, SchemaParts['kind']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes-no',
  array: 'list',
  object: 'object',
};

function kindOf({ type, properties }: Schema): SchemaParts['kind'] {
  if (type === undefined && isSchema(properties)) return 'object';
  return (typeof type === 'string' && KINDS[type]) || 'other';
}

/** The schema with references resolved and without a null alternative. */
function narrowed(root: Schema, given: Schema): Schema {
  let schema = given;
  for (let step = 0; step < REFS_MAX; step += 1) {
    const next = narrower(root, schema);
    if (next === undefined) return schema;
    schema = next;
  }
  return {};
}

function narrower(root: Schema, schema: Schema): Schema | undefined {
  const { $ref, anyOf, oneOf, allOf, type, ...own } = schema;
  if (typeof $ref === 'string') return { ...target(root, $ref), ...own };
  if (Array.isArray(allOf) && allOf.length === 1 && isSchema(allOf[0]))
    return { ...allOf[0], ...own, ...(type === undefined ? {} : { type }) };
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((each) => each !== 'null');
    return others.length === 0 ? { ...own, ...(only === undefined ? {} : { type: only }) } : undefined;
  }
  const among = anyOf ?? oneOf;
  if (!Array.isArray(among)) return undefined;
  const [only, ...others] = among.filter((each) => isSchema(each) && each['type'] !== 'null');
  return others.length === 0 && isSchema(only) ? { ...only, ...own } : undefined;
}

/** Resolves a pointer within the document, such as `#/$defs/Colour`. */
function target(root: Schema, ref: string): Schema {
  if (!ref.startsWith('#/')) return {};
  let at: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return isSchema(at) ? at : {};
}

function choicesOf(schema: Schema): readonly Choice[] {
  const { enum: listed, const: single, anyOf, oneOf } = schema;
  if (Array.isArray(listed)) return listed.filter((each) => each !== null).map((each) => choice(each));
  if (single !== undefined) return [choice(single)];
  const among = oneOf ?? anyOf;
  if (!Array.isArray(among) || !among.every((each) => isSchema(each) && each['const'] !== undefined)) return [];
  return among.map((each: Schema) => choice(each['const'], textOf(each['title'])));
}

function choice(given: unknown, label?: string): Choice {
  const value = typeof given === 'string' ? given : JSON.stringify(given);
  return { value, label: label ?? value, given };
}

function constraintsOf(schema: Schema): Constraints {
  const constraints = {
    number: schema['type'] === 'number' || schema['type'] === 'integer' || undefined,
    whole: schema['type'] === 'integer' || undefined,
    minimum: numberOf(schema['minimum']),
    maximum: numberOf(schema['maximum']),
    minLength: numberOf(schema['minLength']),
    maxLength: numberOf(schema['maxLength']),
    minItems: numberOf(schema['minItems']),
    maxItems: numberOf(schema['maxItems']),
  };
  return Object.fromEntries(Object.entries(constraints).filter(([, value]) => value !== undefined)) as Constraints;
}

/** Whether the schema allows arbitrary property names or alternatives, which a list of fields cannot express. */
function isFree(schema: Schema, count: number): boolean {
  const { additionalProperties, patternProperties, anyOf, oneOf, allOf } = schema;
  if ([anyOf, oneOf, allOf].some((each) => Array.isArray(each) && each.length > 0)) return true;
  if (isSchema(patternProperties) && Object.keys(patternProperties).length > 0) return true;
  if (count > 0) return false;
  return additionalProperties === true || isSchema(additionalProperties);
}
