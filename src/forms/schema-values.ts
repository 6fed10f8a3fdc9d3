/** Converts the form values of a JSON Schema to the values to send. */
import { LongNumber, parseExactly } from '../../contract/text/exact-json.ts';
import type { FieldValue, FieldValues, SchemaField } from './schema-fields.ts';
import type { Constraints } from './schema-parts.ts';

/** `name` is the path of the field, with dots for groups. */
export interface Problem {
  readonly name: string;
  readonly message: string;
}
export type ReadValues =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The values to send, or the problem of each invalid field. Empty fields are omitted. Only violations of the schema are
 * rejected here; the receiver decides the rest.
 */
export function readValues(fields: readonly SchemaField[], typed: FieldValues): ReadValues {
  const problems: Problem[] = [];
  const values = readGroup(fields, typed, '', problems);
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** The values of all valid fields; invalid fields are omitted. */
export const draftOf = (fields: readonly SchemaField[], typed: FieldValues): Readonly<Record<string, unknown>> =>
  readGroup(fields, typed, '', []);

function readGroup(
  fields: readonly SchemaField[],
  typed: FieldValues,
  prefix: string,
  problems: Problem[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const name = prefix + field.name;
    const value = typed[field.name];
    try {
      const read = field.kind === 'group' ? readInner(field, value, name, problems) : readOne(field, value);
      if (read !== undefined) values[field.name] = read;
      else if (field.required) problems.push({ name, message: `${field.label} is required.` });
    } catch (error) {
      problems.push({ name, message: error instanceof Mistake ? error.message : 'Enter JSON.' });
    }
  }
  return values;
}

/** An optional group is omitted while none of its fields was edited. */
function readInner(field: SchemaField, value: FieldValue | undefined, name: string, problems: Problem[]): unknown {
  const typed = isGroup(value) ? value : {};
  const untouched = field.fields.every((each) => same(typed[each.name], each.initial));
  if (!field.required && untouched) return undefined;
  return readGroup(field.fields, typed, `${name}.`, problems);
}

const isGroup = (value: FieldValue | undefined): value is FieldValues =>
  typeof value === 'object' && !Array.isArray(value);
const same = (a: FieldValue | undefined, b: FieldValue) => a === undefined || JSON.stringify(a) === JSON.stringify(b);

class Mistake extends Error {}

function readOne({ kind, choices, constraints, required }: SchemaField, value: FieldValue | undefined): unknown {
  if (typeof value === 'boolean') return value;
  if (kind === 'choices') {
    const chosen = choices.filter((each) => Array.isArray(value) && value.includes(each.value));
    return chosen.length === 0 && !required ? undefined : chosen.map(({ given }) => given);
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (kind === 'json') return parseExactly(value);
  if (kind === 'choice') return choices.find((each) => each.value === value)?.given ?? value;
  if (kind !== 'list') return readText(value, constraints);
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = constraints;
  if (lines.length < minItems) throw new Mistake(`Enter at least ${minItems}, one per line.`);
  if (lines.length > maxItems) throw new Mistake(`Enter at most ${maxItems}, one per line.`);
  return lines.map((line) => readText(line.trim(), constraints));
}

function readText(text: string, constraints: Constraints): unknown {
  if (constraints.number) return readNumber(text.trim(), constraints);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = constraints;
  const length = [...text].length;
  if (length < minLength) throw new Mistake(`Enter at least ${minLength} characters.`);
  if (length > maxLength) throw new Mistake(`Enter at most ${maxLength} characters.`);
  return text;
}

function readNumber(text: string, { whole, minimum, maximum }: Constraints): number | LongNumber {
  const value = Number(text);
  const exact = exactNumber(text);
  const kind = whole ? 'a whole number' : 'a number';
  if (!Number.isFinite(value) || (whole && !Number.isInteger(exact) && !/^-?\d+$/.test(text)))
    throw new Mistake(`Enter ${kind}.`);
  if (minimum !== undefined && value < minimum) throw new Mistake(`Enter ${kind} of ${minimum} or more.`);
  if (maximum !== undefined && value > maximum) throw new Mistake(`Enter ${kind} up to ${maximum}.`);
  return exact;
}

/** The text may not be valid JSON, for example `+5`. */
function exactNumber(text: string): number | LongNumber {
  try {
    const exact = parseExactly(text);
    if (exact instanceof LongNumber) return exact;
  } catch {
    // not JSON, so it needs no exact number
  }
  return Number(text);
}
