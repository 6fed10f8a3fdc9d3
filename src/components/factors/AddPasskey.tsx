import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { browserOf } from '../../lib/browser-name.ts';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)) });

interface AddPasskeyProps {
  readonly onAdded: (reply: Reply<'passkeyCreate'>) => unknown;
  readonly onClose: () => void;
}

/** Names a new passkey and asks the browser for it. */
export function AddPasskey({ onAdded, onClose }: AddPasskeyProps) {
  const form = useSchemaForm(schema, { name: browserOf(navigator.userAgent) });
  const add = useMutation<Reply<'passkeyCreate'>, ApiError, { name: string }>({
    mutationKey: ['passkeyCreate'],
    mutationFn: async ({ name }) => {
      const { promptForNewPasskey } = await import('./passkey-prompt.ts');
      return call('passkeyCreate', { body: { name, passkey: await promptForNewPasskey() } });
    },
    onSuccess: (reply) => onAdded(reply),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a passkey"
      description="A passkey signs you in with the screen lock of a device, or with a security key."
    >
      <Form
        form={form}
        onSubmit={(typed) => add.mutate(typed)}
        submitError={add.error}
        loading={add.isPending}
        submitLabel="Add passkey"
        onCancel={onClose}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          help="For example the device or the password manager that stores it."
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
