/**
 * Rejects text in a JSON body that can't be stored or forwarded unchanged. PostgreSQL's text type has no NUL, and UTF-8
 * no lone surrogates, which would be replaced silently. Fields with the caller's JSON or bytes are exempt.
 */

import type { Operation } from '../../contract/routes.ts';
import { LongNumber } from '../../contract/text/exact-json.ts';
import { badRequest } from '../lib/failure.ts';

/** Fields that are stored or forwarded as JSON, where both are escaped. `*` is an item of an array. */
const EXACT_JSON: Partial<Record<Operation, readonly string[]>> = {
  eventCreate: ['payload'],
  triggerTest: ['payload'],
  destinationTest: ['payload'],
  connectionToolCall: ['arguments'],
  appCreate: ['events.types.*.sample'],
  appUpdate: ['events.types.*.sample'],
};
/** Fields that are forwarded as bytes, where NUL is valid. */
const BYTES: Partial<Record<Operation, readonly string[]>> = {
  functionInvoke: ['body', 'query'],
  connectionRequest: ['body'],
};

/** Throws a 400 that names the first field with such text. */
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
  if (!text.isWellFormed()) return 'text without lone surrogates';
  if (!allowsNul && text.includes('\u0000')) return 'no NUL character';
  return undefined;
}

function matches(pattern: string, path: string[]): boolean {
  const names = pattern.split('.');
  return names.length === path.length && names.every((name, index) => name === '*' || name === path[index]);
}
