/** Rules for the input of every operation. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from './operations.ts';
import { operationNames } from './routes.ts';

type JsonSchema = { [name: string]: unknown };

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Every schema within one, with its dotted path. */
function* within(schema: unknown, path: string): Generator<[path: string, schema: JsonSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield [path, schema as JsonSchema];
  for (const [name, each] of Object.entries(schema))
    if (name !== 'default') yield* within(each, /^(properties|anyOf|oneOf|\d+)$/.test(name) ? path : `${path}.${name}`);
}

const inputs = operationNames.flatMap((name) => {
  const { query, body, params } = operations[name] as { query: z.ZodType; body: z.ZodType | null; params: z.ZodType };
  return [[`${name} params`, params], [`${name} query`, query], ...(body ? [[`${name} body`, body]] : [])] as [
    string,
    z.ZodType,
  ][];
});

describe('every number in the input of an operation', () => {
  /** Compared with a `bigint` column. */
  const MILLISECONDS = /\.(start_time|end_time)$/;

  it('has bounds within the range of its column', () => {
    const numbers = inputs.flatMap(([name, schema]) =>
      [...within(schemaOf(schema), name)].filter(([, { type }]) => type === 'integer' || type === 'number'),
    );
    expect(numbers.length).toBeGreaterThan(40);
    const max = (path: string) => (MILLISECONDS.test(path) ? 8.64e15 : 2_147_483_647);
    // A limit above the maximum is reduced, not rejected.
    const bad = numbers.filter(
      ([path, { minimum, maximum }]) =>
        !path.endsWith('.limit') &&
        !(typeof minimum === 'number' && typeof maximum === 'number' && maximum <= max(path)),
    );
    expect(bad.map(([path, { minimum, maximum }]) => `${path} ${minimum}..${maximum}`)).toEqual([]);
  });
});

describe('every query parameter', () => {
  /** An empty pattern matches every line. */
  const MAY_BE_EMPTY = new Set(['filter_pattern']);

  it('is rejected if empty: a script with an unset variable must not read everything', () => {
    const accepted = operationNames.flatMap((name) => {
      const query = operations[name].query as z.ZodType;
      return Object.keys((query as z.ZodObject).shape)
        .filter((parameter) => !MAY_BE_EMPTY.has(parameter))
        .filter((parameter) => {
          const { error } = query.safeParse({ [parameter]: '' });
          return !error?.issues.some(({ path }) => path[0] === parameter);
        })
        .map((parameter) => `${name}.${parameter}`);
    });
    expect(accepted).toEqual([]);
  });
});
