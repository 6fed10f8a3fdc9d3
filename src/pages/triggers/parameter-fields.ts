/** The parameters of an event type as fields of a form, made from their JSON Schema. */
import type { App } from '../../api/entities.ts';

type EventType = App['event_types'][number];
export type ParameterValues = Record<string, string | boolean>;

export interface ParameterField {
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly required: boolean;
  /** json: whatever has no control of its own is written as JSON. */
  readonly kind: 'text' | 'number' | 'yes-no' | 'choice' | 'json';
  readonly choices: readonly string[];
  readonly example: string | undefined;
  readonly initial: string | boolean;
}

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function kindOf({ type, enum: choices }: Schema): ParameterField['kind'] {
  if (Array.isArray(choices)) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'yes-no' : 'json';
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields, in the schema's order. */
export function fieldsOf({ parameters }: EventType): readonly ParameterField[] {
  const { properties, required } = parameters;
  if (!isSchema(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, schema]): ParameterField[] => {
    if (!isSchema(schema)) return [];
    const kind = kindOf(schema);
    const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [];
    const start = schema['default'];
    return [
      {
        name,
        kind,
        label: textOf(schema['title']) ?? labelOf(name),
        help: textOf(schema['description']),
        required: needed.includes(name),
        choices: Array.isArray(schema['enum']) ? schema['enum'].map(written) : [],
        example: example === undefined ? undefined : written(example),
        initial: kind === 'yes-no' ? start === true : start === undefined ? '' : written(start),
      },
    ];
  });
}

/** What the form starts with: a trigger's own values, else the schema's defaults. */
export function initialValues(fields: readonly ParameterField[], given: Schema = {}): ParameterValues {
  return Object.fromEntries(
    fields.map(({ name, kind, initial }) => {
      const value = given[name];
      if (value === undefined) return [name, initial];
      return [name, kind === 'yes-no' ? value === true : written(value)];
    }),
  );
}

/** What a field holds as the service takes it; undefined leaves it out. Throws where JSON is expected and isn't there. */
function readValue({ kind }: ParameterField, value: string | boolean | undefined): unknown {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value.trim() === '') return undefined;
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'json' ? JSON.parse(value) : value;
}

export type ReadParameters = { ok: true; parameters: Schema } | { ok: false; name: string; message: string };

/** The parameters to send, or the field that can't be sent. Whether they are good is the service's to say. */
export function readParameters(fields: readonly ParameterField[], values: ParameterValues): ReadParameters {
  const parameters: Record<string, unknown> = {};
  for (const field of fields) {
    try {
      const value = readValue(field, values[field.name]);
      if (value === undefined && field.required)
        return { ok: false, name: field.name, message: `${field.label} is required.` };
      if (value !== undefined) parameters[field.name] = value;
    } catch {
      return { ok: false, name: field.name, message: 'Expected JSON.' };
    }
  }
  return { ok: true, parameters };
}
