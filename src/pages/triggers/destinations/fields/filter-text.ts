/** A payload filter as text: JSON, or empty. */
import { type EventFilter, filterProblem, isScalar } from '../../../../../contract/event-filter.ts';
import { parseExactly } from '../../../../../contract/text/exact-json.ts';

export type FilterText =
  /** Null matches every event. */
  { readonly ok: true; readonly filter: EventFilter | null } | { readonly ok: false; readonly message: string };

/** Parses the field; an error includes its position. */
export function readFilter(text: string): FilterText {
  if (text.trim() === '') return { ok: true, filter: null };
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    return { ok: false, message: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = filterProblem(value);
  if (problem !== null) return { ok: false, message: capital(problem.replace(/^filter(?:\.|: )/, '')) };
  return { ok: true, filter: value as EventFilter };
}

export const writeFilter = (filter: EventFilter | null): string =>
  filter === null ? '' : JSON.stringify(filter, null, 2);

const capital = (text: string): string => (/^expected/.test(text) ? `E${text.slice(1)}` : text);

export interface FilterExample {
  readonly label: string;
  readonly filter: EventFilter;
}

const LEAF_DEPTH = 4;
const LEAVES_OFFERED = 200;

/** A value of a payload with its path, as used in a filter. */
export interface PayloadLeaf {
  readonly path: string;
  readonly value: unknown;
}

/** The values that conditions can use. */
export function payloadLeaves(payload: unknown): readonly PayloadLeaf[] {
  const leaves: PayloadLeaf[] = [];
  for (const leaf of leavesOf(payload, [], 0)) if (leaves.push(leaf) === LEAVES_OFFERED) break;
  return leaves;
}

/** Example filters built from a payload. */
export function examplesFor(payload: unknown): readonly FilterExample[] {
  const leaves = [...leavesOf(payload, [], 0)];
  const text = leaves.find(({ value }) => typeof value === 'string' && value.length <= 60);
  const number = leaves.find(({ value }) => typeof value === 'number');
  const any = leaves[0];
  return [
    ...(text
      ? [
          { label: `${text.path} is …`, filter: { [text.path]: text.value } },
          {
            label: `${text.path} starts with …`,
            filter: { [text.path]: { $startsWith: String(text.value).slice(0, 3) } },
          },
          { label: `${text.path} is one of …`, filter: { [text.path]: { $in: [text.value] } } },
        ]
      : []),
    ...(number ? [{ label: `${number.path} is at least …`, filter: { [number.path]: { $gte: number.value } } }] : []),
    ...(any ? [{ label: `${any.path} exists`, filter: { [any.path]: { $exists: true } } }] : []),
    ...(text && number
      ? [{ label: 'Either value', filter: { $or: [{ [text.path]: text.value }, { [number.path]: number.value }] } }]
      : []),
  ];
}

function* leavesOf(value: unknown, path: readonly string[], depth: number): Generator<PayloadLeaf> {
  if (typeof value !== 'object' || value === null || isScalar(value)) {
    if (path.length > 0) yield { path: path.join('.'), value };
    return;
  }
  if (depth >= LEAF_DEPTH) return;
  const entries = Array.isArray(value) ? Object.entries(value).slice(0, 1) : Object.entries(value);
  // a name with a dot or a dollar sign would be read differently
  for (const [key, inner] of entries) if (!/[.$]/.test(key)) yield* leavesOf(inner, [...path, key], depth + 1);
}
