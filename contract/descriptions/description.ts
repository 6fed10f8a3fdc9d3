/**
 * The words of the OpenAPI document: descriptions and examples of operations, schemas and fields. They live apart from
 * the schemas, so that the console, which loads schemas for its forms, does not load them.
 */

/** A sentence, and an example if none follows from the schema: for text, numbers and open values. */
export type Description = readonly [text: string, example?: unknown];
/** By `Schema` or `Schema.field`, or by field name. */
export type Descriptions = Record<string, Description>;
