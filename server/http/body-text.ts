/**
 * Text of a JSON body that the service can't keep or forward unchanged. PostgreSQL's text holds no NUL, and UTF-8 has
 * no half of a surrogate pair: it would be replaced silently. Fields with JSON or bytes of the caller's own are exempt.
 */

import type { Operation } from '../../contract/routes.ts';
import { LongNumber } from '../../contract/text/exact-json.ts';
import { badRequest } from '../lib/failure.ts';

/** JSON that is stored or forwarded as JSON, where both are escapes. `*` is an item of an array. */
const EXACT_JSON: Partial<Record<Operation, readonly string[]>> = {
  eventCreate: ['payload'],
  triggerTest: ['payload'],
  destinationTest: ['payload'],
  connectionToolCall: ['arguments'],
  appCreate: ['events.types.*.sample'],
  appUpdate: ['events.types.*.sample'],
};
/** Text that is forwarded as bytes, where a NUL is one of them. */
const BYTES: Partial<Record<Operation, readonly string[]>> = {
  functionInvoke: ['body', 'query'],
  connectionRequest: ['body'],
};

/** Throws a 400 that names the first field with text that can't be kept. */
export function assertWholeText(operation: Operation, body: unknown): void {
  const exempt = { json: EXACT_JSON[operation] ?? [], bytes: BYTES[operation] ?? [] };
  const visit = (value: unknown, path: string[], allowsNul: boolean): void => {
    if (typeof value === 'string') {
      const problem = problemOf(value, allowsNul);
      if (problem) throw badRequest(`${path.join('.') || 'body'}: expected ${problem}`);
      return;
    }
    if (typeof value !== 'object' || value === null || value instanceof LongNumber) return;
    const isArray = Array.isArray(value);
    for (const [name, each] of Object.entries(value)) {
      const problem = isArray ? undefined : problemOf(name, allowsNul);
      if (problem) throw badRequest(`${path.join('.') || 'body'}: expected ${problem}`);
      const at = [...path, name];
      if (exempt.json.some((pattern) => matches(pattern, at))) continue;
      visit(each, at, allowsNul || exempt.bytes.some((pattern) => matches(pattern, at)));
    }
  };
  visit(body, [], false);
}

function problemOf(text: string, allowsNul: boolean): string | undefined {
  if (!text.isWellFormed()) return 'text without halves of surrogate pairs';
  if (!allowsNul && text.includes('\u0000')) return 'no NUL character';
  return undefined;
}

function matches(pattern: string, path: string[]): boolean {
  const names = pattern.split('.');
  return names.length === path.length && names.every((name, index) => name === '*' || name === path[index]);
}
