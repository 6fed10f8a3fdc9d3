import * as z from 'zod/mini';
import { useApiMutation } from '../api/mutations.ts';
import { Form } from '../forms/Form.tsx';
import { TextField } from '../forms/fields.tsx';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { path } from '../lib/path.ts';
import { Dialog } from '../ui/overlays/Dialog.tsx';
import { forgetVisits } from './palette/recent.ts';

const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)) });

/** Creates an account and opens it. */
export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(schema, { name: '' });
  const create = useApiMutation('accountCreate', {
    failure: 'inline',
    onSuccess: () => {
      forgetVisits();
      // load a new document, so that no data of this account stays in memory
      window.location.assign(path.overview());
    },
  });
  return (
    <Dialog open onClose={onClose} title="New account" description="You become its owner, and this browser opens it.">
      <Form
        form={form}
        onSubmit={(body) => create.mutate({ body })}
        submitError={create.error}
        loading={create.isPending}
        submitLabel="Create account"
        onCancel={onClose}
      >
        <TextField control={form.control} name="name" label="Name" autoComplete="off" autoFocus />
      </Form>
    </Dialog>
  );
}
