/** What is typed into the fields of a JSON Schema, as it is sent. */
import { LongNumber, parseExactly } from '../../contract/text/exact-json.ts';
import type { FieldValue, FieldValues, SchemaField } from './schema-fields.ts';
import type { Asks } from './schema-parts.ts';

/** `name` is the field's, with dots where it is in a group. */
export interface Problem {
  readonly name: string;
  readonly message: string;
}
export type ReadValues =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The values to send, or every field that can't be sent. What is empty is left out. Only what is sure from here is
 * refused; whether a value is acceptable is for the receiver to decide.
 */
export function readValues(fields: readonly SchemaField[], typed: FieldValues): ReadValues {
  const problems: Problem[] = [];
  const values = readGroup(fields, typed, '', problems);
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** The same without a word about what can't be sent: that is left out. */
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

/** A group that may be left out is, until something in it is typed. */
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

function readOne({ kind, choices, asks, required }: SchemaField, value: FieldValue | undefined): unknown {
  if (typeof value === 'boolean') return value;
  if (kind === 'choices') {
    const chosen = choices.filter((each) => Array.isArray(value) && value.includes(each.value));
    return chosen.length === 0 && !required ? undefined : chosen.map(({ given }) => given);
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (kind === 'json') return parseExactly(value);
  if (kind === 'choice') return choices.find((each) => each.value === value)?.given ?? value;
  if (kind !== 'list') return readText(value, asks);
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const { fewest = 0, mostOf = Number.POSITIVE_INFINITY } = asks;
  if (lines.length < fewest) throw new Mistake(`Enter at least ${fewest}, one per line.`);
  if (lines.length > mostOf) throw new Mistake(`Enter at most ${mostOf}, one per line.`);
  return lines.map((line) => readText(line.trim(), asks));
}

function readText(text: string, asks: Asks): unknown {
  if (asks.number) return readNumber(text.trim(), asks);
  const { shortest = 0, longest = Number.POSITIVE_INFINITY } = asks;
  const length = [...text].length;
  if (length < shortest) throw new Mistake(`Enter at least ${shortest} characters.`);
  if (length > longest) throw new Mistake(`Enter at most ${longest} characters.`);
  return text;
}

function readNumber(text: string, { whole, least, most }: Asks): number | LongNumber {
  const value = Number(text);
  const exact = exactNumber(text);
  const kind = whole ? 'a whole number' : 'a number';
  if (!Number.isFinite(value) || (whole && !Number.isInteger(exact) && !/^-?\d+$/.test(text)))
    throw new Mistake(`Enter ${kind}.`);
  if (least !== undefined && value < least) throw new Mistake(`Enter ${kind} of ${least} or more.`);
  if (most !== undefined && value > most) throw new Mistake(`Enter ${kind} up to ${most}.`);
  return exact;
}

/** What is typed may be no JSON, such as +5. */
function exactNumber(text: string): number | LongNumber {
  try {
    const exact = parseExactly(text);
    if (exact instanceof LongNumber) return exact;
  } catch {
    // then it isn't long either
  }
  return Number(text);
}
