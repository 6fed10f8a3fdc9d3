/** Evaluates a search text: as exact conditions of a statement, and as grams that every match contains. */
import { type RawBuilder, sql } from 'kysely';
import { type FieldCondition, isIndex, parseEventSearch } from '../../../../contract/text/event-search.ts';
import { patternsInJson } from '../../../platform/database/text-in-json.ts';
import { gramsOf, NUMBER_MAX_CHARS } from './signatures.ts';

/** The conditions for an event `e`. */
export function searchTerms(q: string): RawBuilder<unknown>[] {
  const { texts, fields } = parseEventSearch(q);
  return [...texts.map(textTerm), ...fields.map(fieldTerm)];
}

// A scalar subquery: PostgreSQL could evaluate `exists` by reading all requests.
const ofRequest = (value: RawBuilder<unknown>) =>
  sql`(select ${value} from event_requests r where r.account_id = e.account_id and r.event_id = e.event_id)`;

function textTerm(text: string): RawBuilder<unknown> {
  const patterns = sql`any(${patternsInJson(text)}::text[])`;
  return sql`(e.payload ilike ${patterns} or ${ofRequest(sql`(r.request::json -> 'headers')::text`)} ilike ${patterns})`;
}

function fieldTerm(field: FieldCondition): RawBuilder<unknown> {
  if (field.of === 'headers') return sql`${ofRequest(sql`r.request::jsonb`)} @? ${pathsOf(field)[0]}::jsonpath`;
  const exact = sql`event_json(e.payload) @? any(${pathsOf(field)}::jsonpath[])`;
  const { value } = field;
  if (value === null || numberOf(field) !== undefined || !/^[\w.:@-]+$/.test(value)) return exact;
  // Without escapes, the payload contains such a text as it is: most events need no parsing.
  return sql`((e.payload like ${`%${value.replaceAll('_', '\\_')}%`} or e.payload like '%\\\\%') and ${exact})`;
}

/** Paths of SQL/JSON, which look into the elements of arrays. A number in a path is an index or a name. */
function pathsOf(field: FieldCondition): string[] {
  let paths = [field.of === 'headers' ? '$."headers"' : '$'];
  for (const name of field.path) {
    const steps = [`."${literal(name).slice(1, -1)}"`];
    if (field.of === 'payload' && isIndex(name)) steps.push(`[${name}]`);
    paths = paths.flatMap((path) => steps.map((step) => path + step));
  }
  if (field.value === null) return paths;
  const values = [literal(field.value)];
  if (numberOf(field) !== undefined || isWord(field)) values.push(field.value);
  const condition = values.map((value) => `@ == ${value}`).join(' || ');
  return paths.map((path) => `${path} ? (${condition})`);
}

const literal = (text: string) => JSON.stringify(text.toWellFormed());

const isWord = ({ of, value, isText }: FieldCondition) =>
  of === 'payload' && !isText && /^(?:true|false|null)$/.test(value ?? '');

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?([eE][+-]?\d{1,3})?$/;
/** The digits that every plain decimal of this number contains, empty if it has an exponent; undefined for a text. */
function numberOf({ of, value, isText }: FieldCondition): string | undefined {
  const [, sign, whole, fraction = '', exponent] = (of === 'payload' && !isText && NUMBER.exec(value ?? '')) || [];
  if (whole === undefined) return undefined;
  if (exponent !== undefined) return '';
  const rest = fraction.replace(/0+$/, '');
  const digits = rest === '' ? whole : `${whole}.${rest}`;
  return /[1-9]/.test(digits) ? sign + digits : digits;
}

/**
 * Hashes of grams, of which each match contains all of one alternative of each term. Terms without a text that is long
 * enough are omitted.
 */
export type Probe = number[][][];

/** At most this number of grams of a text: more hardly exclude further events. */
const MOST_GRAMS = 24;

/** The grams of a search text; undefined if it has none, so that every event has to be read. */
export function probeOf(q: string): Probe | undefined {
  const { texts, fields } = parseEventSearch(q);
  const terms = [...texts.map(formsOfText), ...fields.map((field) => [formsOfField(field)])]
    .map((alternatives) => alternatives.map((forms) => spread(forms.flatMap(gramsOf))))
    .filter((alternatives) => alternatives.every((grams) => grams.length > 0));
  return terms.length > 0 ? terms : undefined;
}

/** Without the percent signs and escapes of LIKE. */
const formsOfText = (text: string): string[][] =>
  patternsInJson(text).map((pattern) => [pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1')]);

/** Texts that all matches contain. */
function formsOfField(field: FieldCondition): string[] {
  const { of, path, value, isText } = field;
  const names = path.filter((name) => !isIndex(name)).map(literal);
  if (of === 'headers') return [`${literal(path[0] ?? '')}:${value === null ? '"' : literal(value)}`];
  if (value === null) return names;
  const digits = numberOf(field);
  if (digits !== undefined) return digits.length <= NUMBER_MAX_CHARS ? [...names, digits] : names;
  return [...names, isText || !isWord(field) ? literal(value) : value];
}

function spread(grams: number[]): number[] {
  if (grams.length <= MOST_GRAMS) return grams;
  return Array.from({ length: MOST_GRAMS }, (_, i) => grams[Math.floor((i * grams.length) / MOST_GRAMS)] as number);
}
