/**
 * Generates requests from schemas: mostly valid, sometimes not. A value may be a placeholder for a value of an earlier
 * response (`Known`), so that requests find existing resources.
 */
import fc from 'fast-check';
import type { Operation, Parameter, Schema } from './document.ts';

/** A placeholder for a value with this name in earlier responses. */
export class Known {
  readonly name: string;
  readonly index: number;
  constructor(name: string, index: number) {
    this.name = name;
    this.index = index;
  }
}

export type Request = {
  operation: Operation;
  path: Record<string, unknown>;
  query: [name: string, value: unknown][];
  headers: Record<string, string>;
  /** Text is sent unchanged; undefined sends no body. */
  body: { value: unknown } | { text: string } | undefined;
};

const ODD_TEXT = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202e\u2028',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '%',
  '{{ payload }}',
  '__proto__',
  'null',
  '0',
  '-1',
  '2147483648',
  '99999999999999999999',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '2026-02-30T00:00:00Z',
  'x'.repeat(300),
  '('.repeat(200),
  '[a-',
  '"\\u0000"',
  '/(?<=a)b/',
];
const ODD_NUMBERS = [-1, 0, 0.5, 2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 1e300, -0];
const oddText = fc.oneof(fc.constantFrom(...ODD_TEXT), fc.string({ unit: 'binary', maxLength: 30 }));
const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(
    ...ODD_NUMBERS,
    null,
    true,
    {},
    [],
    [null],
    { a: { b: [] } },
    { __proto__: null, $eq: '\u0000' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const instant = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T00:00:00Z') })
    .map((at) => at.toISOString()),
  fc.constantFrom(...ODD_TEXT.filter((text) => /^\d{4}-/.test(text))),
);

export type Maker = { requestOf(operation: Operation): fc.Arbitrary<Request> };

/** `urls`: the only hosts in requests. `files`: code of functions, which is not random. */
export function createMaker({ urls, files }: { urls: string[]; files: Record<string, string>[] }): Maker {
  const made = new Map<string, fc.Arbitrary<Request>>();

  const text = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
    const { format, pattern, minLength = 0, maxLength = 40 } = schema as { [name: string]: never };
    if (format === 'uri' || /(^|_)url$/.test(name)) return fc.constantFrom(...urls);
    if (format === 'uuid') return fc.oneof({ weight: 20, arbitrary: known(name) }, { weight: 1, arbitrary: fc.uuid() });
    if (format === 'date-time') return instant;
    const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });
    const remembered = known(name);
    if (!pattern) return fc.oneof({ weight: 2, arbitrary: free }, { weight: 2, arbitrary: remembered });
    return fc.oneof({ weight: 3, arbitrary: matching(pattern) }, { weight: 1, arbitrary: remembered });
  };

  const value = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
    const right = fitting(schema, name);
    return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: odd });
  };

  const fitting = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
    const {
      type,
      properties,
      items,
      additionalProperties,
      minimum = 0,
      maximum = 1000,
    } = schema as {
      [name: string]: never;
    };
    const options = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
    if (options) return fc.oneof(...options.map((each) => fitting(each, name)));
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
    if (name === 'files') return fc.constantFrom(...files);
    if (type === 'string') return text(schema, name);
    if (type === 'integer')
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) }),
        fc.integer({ min: minimum, max: Math.min(maximum, (minimum as number) + 3) }),
        fc.constantFrom(minimum, maximum),
      );
    if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (Array.isArray(schema['prefixItems']))
      return fc.tuple(...(schema['prefixItems'] as Schema[]).map((each) => value(each, name)));
    if (type === 'array')
      return fc.array(value((items as Schema | undefined) ?? {}, name.replace(/s$/, '')), { maxLength: 3 });
    if (properties) return object(schema, properties);
    if (type === 'object')
      return fc.dictionary(
        fc.oneof(fc.string({ maxLength: 12 }), oddText as fc.Arbitrary<string>),
        typeof additionalProperties === 'object' ? value(additionalProperties as Schema, name) : fc.jsonValue(),
        { maxKeys: 3 },
      );
    return fc.jsonValue({ maxDepth: 4 });
  };

  const object = (schema: Schema, properties: Record<string, Schema>): fc.Arbitrary<unknown> => {
    const required = new Set(schema['required'] as string[] | undefined);
    const entries = Object.entries(properties).map(([name, each]) =>
      fc
        .tuple(fc.integer({ min: 0, max: 19 }), value(each, name))
        .map(([chance, made]) => ((required.has(name) ? chance > 0 : chance > 11) ? [[name, made] as const] : [])),
    );
    const stray = fc
      .integer({ min: 0, max: 39 })
      .map((chance) => (chance === 0 ? [['no_such_field', 1] as const] : []));
    return fc.tuple(...entries, stray).map((parts) => Object.fromEntries(parts.flat()));
  };

  const parameter = ({ name, schema }: Parameter) => value(schema, name);

  const requestOf = (operation: Operation): fc.Arbitrary<Request> => {
    const before = made.get(operation.id);
    if (before) return before;
    const inPath = operation.parameters.filter((each) => each.in === 'path');
    const inQuery = operation.parameters.filter((each) => each.in === 'query');
    const query = fc.tuple(
      ...inQuery.map((each) =>
        fc
          .tuple(fc.integer({ min: 0, max: 9 }), parameter(each))
          .map(([chance, made]): [string, unknown][] =>
            (each.required ? chance > 0 : chance > 5) ? [[each.name, made]] : [],
          ),
      ),
      fc.integer({ min: 0, max: 39 }).map((chance): [string, unknown][] => (chance === 0 ? [['_', '1']] : [])),
    );
    const sent = operation.body ? value(operation.body.schema, '') : odd;
    const body = fc.oneof(
      { weight: operation.body ? 30 : 1, arbitrary: sent.map((value) => ({ value })) },
      { weight: operation.body?.required === false ? 10 : operation.body ? 1 : 30, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom('{', 'null', '[]', '"', '{}{}', '['.repeat(100), '\ufeff{}')
          .map((text) => ({ text })),
      },
    );
    const headers = fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Record<string, string>>(
          { 'content-type': 'text/plain' },
          { 'content-encoding': 'gzip' },
          { 'idempotency-key': 'a-key' },
          { 'idempotency-key': 'x'.repeat(300) },
          { accept: 'text/event-stream;q=0.1, application/json' },
        ),
      },
    );
    const request = fc
      .record({
        path: fc.record(Object.fromEntries(inPath.map((each) => [each.name, parameter(each)]))),
        query: query.map((parts) => parts.flat()),
        headers,
        body: operation.method === 'GET' ? fc.constant(undefined) : body,
      })
      .map((parts): Request => ({ operation, ...parts }));
    made.set(operation.id, request);
    return request;
  };
  return { requestOf };
}

/** Prefers the newest value. */
const known = (name: string) =>
  fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 30 })).map((index) => new Known(name, index));

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern), { maxLength: 60 });
  } catch {
    return fc.string({ maxLength: 30 });
  }
}
