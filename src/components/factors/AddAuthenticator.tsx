import * as z from 'zod/mini';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { QrCode } from './QrCode.tsx';

const schema = z.object({
  code: z.string().check(z.regex(/^\s*(?:\d\s*){6}$/, 'Enter the 6 digits that the app shows.')),
});

interface AddAuthenticatorProps {
  readonly authenticator: Reply<'authenticatorCreate'>['authenticator'];
  readonly onAdded: (reply: Reply<'authenticatorConfirm'>) => unknown;
  readonly onClose: () => void;
}

/** Shows the key of a new authenticator app, and asks for its first code. */
export function AddAuthenticator({ authenticator: { key, url }, onAdded, onClose }: AddAuthenticatorProps) {
  const form = useSchemaForm(schema, { code: '' });
  const confirm = useApiMutation('authenticatorConfirm', { failure: 'inline', onSuccess: onAdded });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add an authenticator app"
      description="Scan the code with the app, or enter the key. Then enter the 6 digits that the app shows."
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-start gap-4">
          <QrCode text={url} label="QR code of the key" />
          <div className="grid min-w-40 flex-1 justify-items-start gap-1">
            <span className="text-12 text-fg-2">Key</span>
            <code className="wrap-anywhere select-all">{key.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyButton text={key} label="Copy key" size="sm" variant="default">
              Copy key
            </CopyButton>
            <a className="link mt-2" href={url}>
              Open in an app on this device
            </a>
          </div>
        </div>
        <Form
          form={form}
          onSubmit={(body) => confirm.mutate({ body })}
          submitError={confirm.error}
          loading={confirm.isPending}
          submitLabel="Add authenticator app"
          onCancel={onClose}
        >
          <TextField
            control={form.control}
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        </Form>
      </div>
    </Dialog>
  );
}
