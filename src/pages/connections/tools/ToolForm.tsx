import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiError } from '../../../api/api-error.ts';
import type { Tool } from '../../../api/entities.ts';
import { useReason } from '../../../api/session.ts';
import { Form } from '../../../forms/Form.tsx';
import { TextAreaField } from '../../../forms/fields.tsx';
import { SchemaFields } from '../../../forms/SchemaFields.tsx';
import type { SchemaField } from '../../../forms/schema-fields.ts';
import { showProblems } from '../../../forms/show-problems.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { firstArguments, readArguments, switched, type TypedArguments, toolFields } from './typed-arguments.ts';

export interface ToolFormProps {
  readonly tool: Tool;
  /** Key of the connection and the tool: the last input is restored after another tool was open. */
  readonly memory: string;
  readonly onCall: (values: Record<string, unknown>) => void;
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly curl: (values: Record<string, unknown>) => string;
}

const lastTyped = new Map<string, TypedArguments>();

const MODES = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

/** The arguments of a tool: fields built from its schema, or JSON. */
export function ToolForm({ tool, memory, onCall, pending, error, curl }: ToolFormProps) {
  const [fields] = useState(() => toolFields(tool));
  const reason = useReason('connectionToolCall');
  const form = useForm<TypedArguments>({ defaultValues: lastTyped.get(memory) ?? firstArguments(fields) });
  const mode = form.watch('mode');
  const submit = (typed: TypedArguments) => {
    lastTyped.set(memory, typed);
    const read = readArguments(fields, typed);
    if (read.ok) onCall(read.values);
    else showProblems(form, read.problems);
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      submitError={error}
      loading={pending}
      submitLabel={`Call ${tool.name}`}
      submitReason={reason}
      curl={async () => {
        const read = readArguments(fields, form.getValues());
        return curl(read.ok ? read.values : {});
      }}
    >
      {fields && fields.length > 0 ? (
        <div className="flex">
          <SegmentedControl
            label="Arguments as"
            size="sm"
            options={MODES}
            value={mode}
            onChange={() => form.reset(switched(fields, form.getValues()))}
          />
        </div>
      ) : null}
      <Fields form={form} fields={mode === 'form' ? fields : undefined} />
    </Form>
  );
}

interface FieldsProps {
  readonly form: ReturnType<typeof useForm<TypedArguments>>;
  readonly fields: readonly SchemaField[] | undefined;
}

function Fields({ form, fields }: FieldsProps) {
  if (fields === undefined) {
    return <TextAreaField control={form.control} name="json" label="Arguments" mono rows={6} help="A JSON object." />;
  }
  if (fields.length === 0) return <p className="text-fg-2">No arguments.</p>;
  return <SchemaFields control={form.control} name="arguments" fields={fields} />;
}
