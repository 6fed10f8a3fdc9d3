import { z } from 'zod';
import { LongNumber } from '../../contract/text/exact-json.ts';
import { badRequest } from '../lib/failure.ts';

type JsonObject = Record<string, unknown>;

/**
 * Validates a trigger's parameters against the JSON Schema of its event type, and fills in the schema's defaults. 400
 * names each invalid parameter.
 */
export function readParameters(schema: JsonObject, given: JsonObject): JsonObject {
  // JSON Schema numbers are doubles.
  const plain: unknown = JSON.parse(JSON.stringify(given));
  const parsed = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(plain);
  if (parsed.success) {
    const long = longNumberIn(given, ['parameters']);
    if (long) throw badRequest(`${long.join('.')}: expected a number within double precision`);
    return parsed.data as JsonObject;
  }
  throw badRequest(parsed.error.issues.slice(0, 5).map(sentence).join('; '));
}

/** The path of a number that would be rounded. */
function longNumberIn(value: unknown, path: string[]): string[] | undefined {
  if (value instanceof LongNumber) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = longNumberIn(inner, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

function sentence(issue: z.core.$ZodIssue): string {
  const at = (path: PropertyKey[]) => ['parameters', ...path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${at([...issue.path, key])}: unknown parameter`).join('; ');
  }
  return `${at(issue.path)}: ${issue.message
    .replace(/^(?:Invalid (?:input|option)|Too (?:small|big)): /, '')
    .replace(/^Invalid string: must match pattern /, 'expected a text that matches ')
    .replace(/, received undefined$/, ', and it is required')}`;
}
