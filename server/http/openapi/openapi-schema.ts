import { z } from 'zod';
import { schemaName } from './schema-names.ts';

export type JsonSchema = Record<string, unknown>;

/** The name of a schema, until `named-schemas.ts` moves it to the components. */
export const NAME = 'x-name';
/** Marks a schema of a request that a reply repeats, such as the definition of a custom app. */
export const OF_REQUEST = 'x-of-request';

/**
 * The JSON Schema of what a client sends (`input`) or receives (`output`). `NAME` marks the schemas that the contract
 * exports.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const json = jsonSchema as JsonSchema;
      const { type, format, default: value } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
      // A query parameter is text that is transformed: zod describes the text, its `meta` what it means.
      if (type === 'integer' || type === 'boolean') {
        delete json['pattern'];
        delete json['enum'];
        delete json['minLength'];
        delete json['maxLength'];
      }
      // Identifiers may be in upper case, which a pattern has no flag for.
      if (format !== undefined) delete json['pattern'];
      // The bounds of exact numbers in JavaScript are no bounds of ours.
      if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
      // Replies may get more fields.
      if (io === 'output' && json['additionalProperties'] === false) delete json['additionalProperties'];
      // `maxItems` says the same, and generators of clients expect a schema here.
      if (json['items'] === false) delete json['items'];
      // Keys of an open record are text anyway.
      if (JSON.stringify(json['propertyNames']) === '{"type":"string"}') delete json['propertyNames'];
      // Zod leaves the default of a transformed value out.
      if (io === 'input' && value !== undefined) json['default'] ??= value;
      const name = schemaName(zodSchema);
      if (name !== undefined) json[NAME] = name;
      if (name !== undefined && io === 'output' && isStrict(zodSchema)) json[OF_REQUEST] = true;
    },
  }) as JsonSchema;
  return rest;
}

/** Requests are strict, replies are not. */
const isStrict = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject && schema._zod.def.catchall?._zod.def.type === 'never';
