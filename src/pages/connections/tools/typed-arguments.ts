/** A tool's arguments as entered: in the fields of its schema, or as JSON. */
import { objectIn } from '../../../../contract/text/exact-json.ts';
import type { Tool } from '../../../api/entities.ts';
import { type FieldValues, fieldsOf, initialValues, type SchemaField } from '../../../forms/schema-fields.ts';
import { draftOf, type Problem, readValues } from '../../../forms/schema-values.ts';

export interface TypedArguments {
  mode: 'form' | 'json';
  arguments: FieldValues;
  json: string;
}
type Arguments = Readonly<Record<string, unknown>>;
export type ReadArguments =
  | { readonly ok: true; readonly values: Arguments }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Undefined if the schema cannot be shown as fields. */
export const toolFields = (tool: Tool): readonly SchemaField[] | undefined => fieldsOf(tool.input_schema);

export const firstArguments = (fields: readonly SchemaField[] | undefined): TypedArguments => ({
  mode: fields ? 'form' : 'json',
  arguments: initialValues(fields ?? []),
  json: '{}',
});

/** The arguments to send, or the problems by form field. */
export function readArguments(fields: readonly SchemaField[] | undefined, typed: TypedArguments): ReadArguments {
  if (fields && typed.mode === 'form') {
    const read = readValues(fields, typed.arguments);
    if (read.ok) return read;
    return { ok: false, problems: read.problems.map((each) => ({ ...each, name: `arguments.${each.name}` })) };
  }
  const values = argumentsIn(typed.json);
  return values ? { ok: true, values } : { ok: false, problems: [{ name: 'json', message: 'Enter a JSON object.' }] };
}

/** Converts the arguments between fields and JSON. Values without a field are dropped. */
export function switched(fields: readonly SchemaField[], typed: TypedArguments): TypedArguments {
  if (typed.mode === 'form')
    return { ...typed, mode: 'json', json: JSON.stringify(draftOf(fields, typed.arguments), null, 2) };
  return { ...typed, mode: 'form', arguments: initialValues(fields, argumentsIn(typed.json) ?? {}) };
}

const argumentsIn = (text: string): Arguments | undefined => (text.trim() === '' ? {} : objectIn(text));
