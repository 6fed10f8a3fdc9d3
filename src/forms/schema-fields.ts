/**
 * The properties of a JSON Schema as form fields: the parameters of an event type, the arguments of a tool. Strings,
 * numbers, booleans, enums, lists of these and one level of objects have their own controls. Everything else is edited
 * as JSON. Values are text until the form is read.
 */
import { type Choice, type Constraints, type Schema, schemaParts } from './schema-parts.ts';

export type FieldValue = string | boolean | readonly string[] | FieldValues;
export interface FieldValues {
  [name: string]: FieldValue;
}
export type FieldKind = 'text' | 'long-text' | 'number' | 'yes-no' | 'choice' | 'choices' | 'list' | 'group' | 'json';

export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly required: boolean;
  readonly kind: FieldKind;
  readonly choices: readonly Choice[];
  readonly example: string | undefined;
  readonly initial: FieldValue;
  /** The fields of a group. */
  readonly fields: readonly SchemaField[];
  /** The constraints of the value, or of each list item. */
  readonly constraints: Constraints;
}

/** Names that are safe in dotted field paths. */
const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;

/** The fields in schema order; undefined if the schema can only be edited as JSON. */
export function fieldsOf(schema: Schema): readonly SchemaField[] | undefined {
  return fieldsIn(schema, schema, 0);
}

function fieldsIn(root: Schema, schema: Schema, level: number): readonly SchemaField[] | undefined {
  const { properties, required, free } = schemaParts(root, schema);
  if (free || properties.some(([name]) => !PLAIN_NAME.test(name))) return undefined;
  return properties.map(([name, own]) => fieldOf(root, name, own, required.has(name), level));
}

function fieldOf(root: Schema, name: string, schema: Schema, required: boolean, level: number): SchemaField {
  const { words, choices, items, kind: given, constraints, start } = schemaParts(root, schema);
  const fields = given === 'object' && level === 0 ? fieldsIn(root, schema, level + 1) : undefined;
  const kind = kindOf();
  return {
    name,
    kind,
    required,
    label: words.title ?? labelOf(name),
    help: words.description,
    choices: kind === 'choices' ? items.choices : kind === 'choice' && choices.length === 0 ? YES_OR_NO : choices,
    example: words.example === undefined ? undefined : written(words.example),
    initial: initialOf(kind, fields ?? [], start),
    fields: kind === 'group' ? (fields ?? []) : [],
    constraints: kind === 'list' ? { ...constraints, ...items.constraints } : constraints,
  };

  function kindOf(): FieldKind {
    if (choices.length > 0) return 'choice';
    if (given === 'text')
      return LONG.test(name) && (constraints.maxLength ?? Number.POSITIVE_INFINITY) > 200 ? 'long-text' : 'text';
    if (given === 'number') return 'number';
    // Without a default, unset is a third value.
    if (given === 'yes-no') return required || start !== undefined ? 'yes-no' : 'choice';
    if (given === 'list' && items.choices.length > 0) return 'choices';
    if (given === 'list' && (items.kind === 'text' || items.kind === 'number')) return 'list';
    return fields && fields.length > 0 ? 'group' : 'json';
  }
}

const LONG = /(?:^|_|-)(?:body|content|text|markdown|html|prompt|sql|code|script|description)$/i;
const YES_OR_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes', given: true },
  { value: 'false', label: 'No', given: false },
];

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function labelOf(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function initialOf(kind: FieldKind, fields: readonly SchemaField[], start: unknown): FieldValue {
  if (kind === 'group') return initialValues(fields, isRecord(start) ? start : {});
  if (kind === 'yes-no') return start === true;
  if (kind === 'choices') return Array.isArray(start) ? start.map(written) : [];
  if (start === undefined || start === null) return '';
  if (kind === 'list') return Array.isArray(start) ? start.map(written).join('\n') : '';
  return kind === 'json' ? JSON.stringify(start, null, 2) : written(start);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The initial form values: given values, else the schema's defaults. */
export function initialValues(
  fields: readonly SchemaField[],
  given: Readonly<Record<string, unknown>> = {},
): FieldValues {
  return Object.fromEntries(
    fields.map(({ name, kind, fields: inner, initial }) => [
      name,
      given[name] === undefined ? initial : initialOf(kind, inner, given[name]),
    ]),
  );
}
