/** What a form needs to know of a JSON Schema, whichever of its many ways of saying it a server has chosen. */

export interface Choice {
  /** What stands for it in a form. */
  readonly value: string;
  readonly label: string;
  /** What is sent for it. */
  readonly given: unknown;
}

export interface Asks {
  readonly number?: boolean;
  readonly whole?: boolean;
  readonly least?: number;
  readonly most?: number;
  readonly shortest?: number;
  readonly longest?: number;
  readonly fewest?: number;
  readonly mostOf?: number;
}

export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaParts {
  readonly kind: 'text' | 'number' | 'yes-no' | 'list' | 'object' | 'other';
  readonly words: { readonly title?: string; readonly description?: string; readonly example?: unknown };
  readonly start: unknown;
  readonly choices: readonly Choice[];
  readonly asks: Asks;
  /** Of an object. */
  readonly properties: readonly (readonly [name: string, schema: Schema])[];
  readonly required: ReadonlySet<unknown>;
  /** An object of which the properties don't say all. */
  readonly free: boolean;
  /** Of a list. */
  readonly items: Pick<SchemaParts, 'kind' | 'choices' | 'asks'>;
}

const NO_ITEMS: SchemaParts['items'] = { kind: 'other', choices: [], asks: {} };
const REFS_MAX = 16;

/** Follows references within `root`, and sees through "this or null". */
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
    asks: asksOf(schema),
    properties: properties.filter((each): each is [string, Schema] => isSchema(each[1])),
    required: new Set(Array.isArray(schema['required']) ? schema['required'] : []),
    free: isFree(schema, properties.length),
    items: isSchema(items) ? itemsOf(root, items) : NO_ITEMS,
  };
}

function itemsOf(root: Schema, given: Schema): SchemaParts['items'] {
  const schema = narrowed(root, given);
  return { kind: kindOf(schema), choices: choicesOf(schema), asks: asksOf(schema) };
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

/** The schema with what it points to, and without the null that only says it may be left out. */
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

/** A pointer within the document, such as `#/$defs/Colour`. */
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

function asksOf(schema: Schema): Asks {
  const asks = {
    number: schema['type'] === 'number' || schema['type'] === 'integer' || undefined,
    whole: schema['type'] === 'integer' || undefined,
    least: numberOf(schema['minimum']),
    most: numberOf(schema['maximum']),
    shortest: numberOf(schema['minLength']),
    longest: numberOf(schema['maxLength']),
    fewest: numberOf(schema['minItems']),
    mostOf: numberOf(schema['maxItems']),
  };
  return Object.fromEntries(Object.entries(asks).filter(([, value]) => value !== undefined)) as Asks;
}

/** Free property names, or alternatives: a list of fields cannot express these. */
function isFree(schema: Schema, count: number): boolean {
  const { additionalProperties, patternProperties, anyOf, oneOf, allOf } = schema;
  if ([anyOf, oneOf, allOf].some((each) => Array.isArray(each) && each.length > 0)) return true;
  if (isSchema(patternProperties) && Object.keys(patternProperties).length > 0) return true;
  if (count > 0) return false;
  return additionalProperties === true || isSchema(additionalProperties);
}
