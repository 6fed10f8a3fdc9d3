import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { factorsQuery, useAddFactor } from '../../../components/factors/use-add-factor.tsx';
import { Form } from '../../../forms/Form.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { columnsOf } from '../../../table/columns.ts';
import { DataTable } from '../../../table/DataTable.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';

type Passkey = Reply<'factorList'>['passkeys'][number];

const col = columnsOf<Passkey>();
const columns = col.columns([
  col.accessor('name', {
    header: 'Passkey',
    meta: { width: 'minmax(140px, 1fr)', phone: 'lead' },
    cell: ({ getValue, row }) => (
      <>
        <span className="min-w-0 truncate" title={getValue()}>
          {getValue()}
        </span>
        {row.original.synced ? <Tag>Synced</Tag> : null}
      </>
    ),
  }),
  col.accessor('last_used_at', {
    header: 'Last used',
    meta: { width: '112px', phone: 'end' },
    cell: ({ getValue }) => (getValue() === null ? <span className="text-fg-3">never</span> : <Time at={getValue()} />),
  }),
  col.accessor('created_at', {
    header: 'Added',
    meta: { width: '112px', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
  col.display({
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    meta: { width: '152px', phone: 'tail' },
    cell: ({ row: { original } }) => <Actions passkey={original} />,
  }),
]);
const passkeyId = ({ passkey_id }: Passkey) => passkey_id;

/** The passkeys of the signed-in person. */
export function Passkeys() {
  const { passkeys, passkeys_unavailable } = usePrefetchedQuery(factorsQuery).data;
  const { dialog, addPasskey } = useAddFactor();
  return (
    <section>
      <div className="flex min-h-12 items-start gap-2 px-4 py-3 max-sm:px-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-14">Passkeys</h2>
          <p className="mt-1 text-fg-2">
            {passkeys_unavailable ?? 'A passkey signs you in alone, or after the password as second factor.'}
          </p>
        </div>
        <Button icon={Plus} onClick={addPasskey} reason={passkeys_unavailable ?? undefined}>
          Add passkey
        </Button>
      </div>
      {passkeys.length === 0 ? null : (
        <DataTable label="Passkeys" rows={passkeys} columns={columns} rowId={passkeyId} />
      )}
      {dialog}
    </section>
  );
}

const CHANGED = ['factorList', 'sessionList', 'sessionGet', 'auditList'] as const;

function Actions({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const params = { passkey_id: passkey.passkey_id };
  const remove = useApiMutation('passkeyDelete', {
    failure: 'The passkey was not removed',
    invalidates: CHANGED,
    onSuccess: () => {
      close();
      toast({ title: 'Passkey removed', tone: 'ok' });
    },
  });
  return (
    <>
      <Button size="sm" aria-label={`Rename ${passkey.name}`} onClick={() => setOpen('rename')}>
        Rename
      </Button>
      <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => setOpen('remove')}>
        Remove
      </Button>
      {open === 'rename' ? <Rename passkey={passkey} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'remove'}
        onClose={close}
        title={`Remove ${passkey.name}`}
        confirmLabel="Remove passkey"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ params })}
      >
        It no longer signs you in, and all your other sessions end. Remove it from the device or password manager too.
      </ConfirmDialog>
    </>
  );
}

const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)) });

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useSchemaForm(schema, { name: passkey.name });
  const rename = useApiMutation('passkeyUpdate', {
    failure: 'inline',
    invalidates: ['factorList', 'auditList'],
    onSuccess: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={`Rename ${passkey.name}`}>
      <Form
        form={form}
        onSubmit={(body) => rename.mutate({ params: { passkey_id: passkey.passkey_id }, body })}
        submitError={rename.error}
        loading={rename.isPending}
        submitLabel="Rename passkey"
        onCancel={onClose}
      >
        <TextField control={form.control} name="name" label="Name" autoFocus />
      </Form>
    </Dialog>
  );
}
