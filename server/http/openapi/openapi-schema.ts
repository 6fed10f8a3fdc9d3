import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The JSON Schema of what a client sends (`input`) or receives (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const { type, format, default: value } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
      // A query parameter is text that is transformed: zod describes the text, its `meta` what it means.
      if (type === 'integer' || type === 'boolean') {
        delete jsonSchema.pattern;
        delete jsonSchema.enum;
        delete jsonSchema.minLength;
        delete jsonSchema.maxLength;
      }
      // Identifiers may be in upper case, which a pattern has no flag for.
      if (format !== undefined) delete jsonSchema.pattern;
      // Zod leaves the default of a transformed value out.
      if (io === 'input' && value !== undefined) jsonSchema.default ??= value as never;
    },
  }) as JsonSchema;
  return rest;
}
