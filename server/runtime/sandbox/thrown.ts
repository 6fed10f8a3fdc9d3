import type { Thrown } from '../fleet/frames.ts';
import { deno } from './deno.ts';

/** Limit per text: a report is one line, and the record of a run should not hold megabytes. */
const MAX_CHARS = 32_768;
const CUT = '… (cut)';
const DEEPEST = 5;

/** Describes any thrown value. Getters of a hostile error object may throw as well. */
export function describe(error: unknown): Thrown {
  try {
    if (!(error instanceof Error)) return { name: 'Error', message: bounded(shown(error)), stack: null };
    return {
      name: bounded(String(error.name)),
      message: bounded(String(error.message)),
      stack: bounded(stackOf(error)),
    };
  } catch {
    return { name: 'Error', message: 'A value that cannot be shown was thrown', stack: null };
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? deno.inspect(value, { colors: false }) : String(value);

const bounded = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}${CUT}` : text);

/** The stack with its causes, and the errors of an AggregateError. */
function stackOf(error: Error): string {
  const seen: string[] = [];
  let each: unknown = error;
  while (each instanceof Error && seen.length < DEEPEST) {
    seen.push([ownStack(each), ...partsOf(each)].join('\nOne of them: '));
    each = each.cause;
  }
  return seen.join('\nCaused by: ');
}

const ownStack = (error: Error): string => bounded(String(error.stack ?? error));

const partsOf = (error: Error): string[] =>
  error instanceof AggregateError && Array.isArray(error.errors)
    ? error.errors.slice(0, DEEPEST).map((each) => (each instanceof Error ? ownStack(each) : shown(each)))
    : [];

/** The stack, which begins with name and message, if there is one. */
export const asText = (error: unknown): string => {
  const { name, message, stack } = describe(error);
  return stack ?? `${name}: ${message}`;
};
