import { useMemo } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../../../api/api-error.ts';
import type { EnvVariable } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { Form } from '../../../forms/Form.tsx';
import { RadioCardsField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';

const schema = z.object({
  key: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'Start with a letter or _, then use letters, digits or _.'),
    ),
  value: z.string().check(z.maxLength(32_768, 'Enter at most 32,768 characters.')),
  type: z.enum(['SENSITIVE', 'PLAIN']),
});

export const ENV_TYPE_OPTIONS = [
  { value: 'SENSITIVE', title: 'Sensitive', description: 'Write-only: encrypted and never shown again.' },
  { value: 'PLAIN', title: 'Plain', description: 'Shown here to everyone in the account.' },
] as const;

/** The API names the conflicting key; in this form that is the key field. */
function besideKey(error: ApiError | null): ApiError | null {
  if (error?.status !== 409) return error;
  return new ApiError({ ...error, message: error.message.replace(/^env:/, 'key:') });
}

interface EnvDialogProps {
  functionId: string;
  /** The variable to edit; absent for a new one. */
  variable?: EnvVariable;
  onClose: () => void;
}

/** Adds or edits one variable. The field of a sensitive value starts empty: the value is replaced, never shown. */
export function EnvDialog({ functionId, variable, onClose }: EnvDialogProps) {
  const form = useSchemaForm(schema, {
    key: variable?.key ?? '',
    value: variable?.value ?? '',
    type: variable?.type ?? 'SENSITIVE',
  });
  const done = { failure: 'inline', invalidates: ['envList'], onSuccess: onClose } as const;
  const create = useApiMutation('envCreate', done);
  const put = useApiMutation('envPut', done);
  // one object per error: the form shows each once
  const refused = useMemo(() => besideKey(create.error), [create.error]);
  const send = ({ key, value, type }: z.infer<typeof schema>) => {
    if (variable) put.mutate({ params: { function_id: functionId, key: variable.key }, body: { value, type } });
    else create.mutate({ params: { function_id: functionId }, body: { env: [{ key, value, type }] } });
  };
  return (
    <Dialog open onClose={onClose} title={variable ? `Change ${variable.key}` : 'Add a variable'}>
      <Form
        form={form}
        onSubmit={send}
        submitError={variable ? put.error : refused}
        loading={create.isPending || put.isPending}
        submitLabel={variable ? 'Save variable' : 'Add variable'}
        onCancel={onClose}
      >
        {variable ? null : <TextField control={form.control} name="key" label="Key" mono autoFocus />}
        <TextAreaField
          control={form.control}
          name="value"
          label={variable && variable.value === null ? 'New value' : 'Value'}
          help={variable && variable.value === null ? 'The stored value stays hidden.' : undefined}
          mono
        />
        <RadioCardsField control={form.control} name="type" label="Type" options={ENV_TYPE_OPTIONS} />
      </Form>
    </Dialog>
  );
}
