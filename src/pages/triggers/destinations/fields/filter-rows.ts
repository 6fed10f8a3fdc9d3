/** A filter as rows of path, operator and value that must all match. More complex filters are JSON. */
import { type EventFilter, isScalar } from '../../../../../contract/event-filter.ts';
import { isJsonObject, parseExactly } from '../../../../../contract/text/exact-json.ts';

type Takes = 'value' | 'text' | 'list' | 'nothing';

/** Operators in words: `data.amount is at least 5000`. */
export const CONDITION_OPERATORS = [
  { value: '$eq', label: 'is', takes: 'value' },
  { value: '$ne', label: 'is not', takes: 'value' },
  { value: '$gte', label: 'is at least', takes: 'value' },
  { value: '$gt', label: 'is more than', takes: 'value' },
  { value: '$lte', label: 'is at most', takes: 'value' },
  { value: '$lt', label: 'is less than', takes: 'value' },
  { value: '$startsWith', label: 'starts with', takes: 'text' },
  { value: '$endsWith', label: 'ends with', takes: 'text' },
  { value: '$contains', label: 'contains', takes: 'value' },
  { value: '$in', label: 'is one of', takes: 'list' },
  { value: '$nin', label: 'is not one of', takes: 'list' },
  { value: 'there', label: 'exists', takes: 'nothing' },
  { value: 'missing', label: 'does not exist', takes: 'nothing' },
] as const satisfies readonly { value: string; label: string; takes: Takes }[];
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number]['value'];

export interface Condition {
  readonly path: string;
  readonly operator: ConditionOperator;
  /** The value as entered: `5000`, `true`, `open`; a number in quotes is a text. */
  readonly value: string;
}
export const NEW_CONDITION: Condition = { path: '', operator: '$eq', value: '' };

export const takesOf = (operator: ConditionOperator): Takes =>
  CONDITION_OPERATORS.find(({ value }) => value === operator)?.takes ?? 'value';

/** The rows of a filter; undefined if rows cannot express it. */
export function conditionsOf(filter: EventFilter | null): readonly Condition[] | undefined {
  const rows: Condition[] = [];
  for (const [path, wanted] of Object.entries(filter ?? {})) {
    const read = path === '$and' ? allOf(wanted) : path.startsWith('$') ? undefined : ofPath(path, wanted);
    if (read === undefined) return undefined;
    rows.push(...read);
  }
  return rows;
}

function allOf(wanted: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(wanted)) return undefined;
  const parts = wanted.map((each) => conditionsOf(each as EventFilter));
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function ofPath(path: string, wanted: unknown): readonly Condition[] | undefined {
  if (isScalar(wanted)) return [{ path, operator: '$eq', value: scalarText(wanted) }];
  if (!isJsonObject(wanted)) return undefined;
  const rows = Object.entries(wanted).map(([name, value]) => ofOperator(path, name, value));
  return rows.length === 0 || rows.includes(undefined) ? undefined : rows.flatMap((row) => row ?? []);
}

function ofOperator(path: string, name: string, wanted: unknown): Condition | undefined {
  if (name === '$exists') return { path, operator: wanted === true ? 'there' : 'missing', value: '' };
  const operator = CONDITION_OPERATORS.find(({ value }) => value === name);
  switch (operator?.takes) {
    case 'value':
      return isScalar(wanted) ? { path, operator: operator.value, value: scalarText(wanted) } : undefined;
    case 'text':
      return typeof wanted === 'string' ? { path, operator: operator.value, value: wanted } : undefined;
    case 'list':
      return Array.isArray(wanted) && wanted.every(isScalar)
        ? { path, operator: operator.value, value: wanted.map(listText).join(', ') }
        : undefined;
    default:
      return undefined;
  }
}

/** An incomplete row has no condition: it needs a path and a value. */
const isWhole = ({ path, operator, value }: Condition) =>
  path.trim() !== '' && (takesOf(operator) === 'nothing' || value.trim() !== '');

/** The filter of these rows; null if there are none. Two conditions with the same path and operator both apply. */
export function filterOf(rows: readonly Condition[]): EventFilter | null {
  const filter: Record<string, unknown> = {};
  const more: EventFilter[] = [];
  for (const row of rows.filter(isWhole)) {
    const path = row.path.trim();
    const [name, value] = termOf(row);
    const known = filter[path];
    if (known === undefined) filter[path] = name === '$eq' ? value : { [name]: value };
    else if (isJsonObject(known) && !(name in known)) filter[path] = { ...known, [name]: value };
    else more.push({ [path]: { [name]: value } });
  }
  if (more.length > 0) filter['$and'] = more;
  return Object.keys(filter).length === 0 ? null : filter;
}

function termOf({ operator, value }: Condition): [name: string, value: unknown] {
  if (operator === 'there' || operator === 'missing') return ['$exists', operator === 'there'];
  const takes = takesOf(operator);
  return [operator, takes === 'list' ? readList(value) : takes === 'text' ? value : readScalar(value.trim())];
}

/** Quotes a text that would be read as another type. */
function scalarText(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return readScalar(value) === value && value === value.trim() && value !== '' ? value : JSON.stringify(value);
}
const listText = (value: unknown) => (String(value).includes(',') ? JSON.stringify(value) : scalarText(value));

function readScalar(text: string): unknown {
  try {
    const value: unknown = parseExactly(text);
    return isScalar(value) ? value : text;
  } catch {
    return text;
  }
}

/** Splits at commas; values that contain a comma are in quotes. */
const readList = (text: string): unknown[] =>
  (text.match(/\s*(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readScalar);
