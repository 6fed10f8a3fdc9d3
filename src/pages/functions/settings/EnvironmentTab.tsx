import { ClipboardPaste, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { EnvVariable } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Impact } from '../../../components/impact/Impact.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { columnsOf } from '../../../table/columns.ts';
import { DataTable } from '../../../table/DataTable.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useFocusFallback } from '../../../ui/overlays/use-focus-fallback.ts';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { envQuery, functionQuery, idIn } from '../function-queries.ts';
import { LANGUAGES } from '../languages.ts';
import { EnvDialog } from './EnvDialog.tsx';
import { EnvMenu } from './EnvMenu.tsx';
import { PasteEnvDialog } from './PasteEnvDialog.tsx';

export const handle: Handle = { crumb: 'Environment' };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(envQuery(idIn(params)));

/** The mask of a write-only value. */
const HIDDEN = '••••••••';

const col = columnsOf<EnvVariable>();
const facts = [
  col.accessor('key', {
    header: 'Key',
    meta: { width: 'minmax(140px, 1fr)', phone: 'lead' },
    cell: ({ getValue }) => (
      <span className="data min-w-0 truncate font-medium" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  col.accessor('value', {
    header: 'Value',
    meta: { width: 'minmax(160px, 2fr)', phone: 'below' },
    cell: ({ getValue }) => {
      const value = getValue();
      return value === null ? (
        <span className="text-fg-3" title="Write-only: never shown again">
          <span aria-hidden>{HIDDEN}</span>
          <span className="sr-only">hidden</span>
        </span>
      ) : (
        <span className="data min-w-0 truncate" title={value}>
          {value === '' ? <span className="text-fg-3">empty</span> : value}
        </span>
      );
    },
  }),
  col.accessor('type', {
    header: 'Type',
    meta: { width: '104px', phone: 'end' },
    cell: ({ getValue }) => <Tag>{getValue() === 'SENSITIVE' ? 'Sensitive' : 'Plain'}</Tag>,
  }),
  col.accessor('updated_at', {
    header: 'Updated',
    meta: { width: '112px', fold: 'late' },
    cell: ({ getValue }) => <Time at={getValue()} className="text-fg-2" />,
  }),
];
const IN_FUNCTION = ['code', 'triggers', 'destinations'] as const;
const rowId = (variable: EnvVariable) => variable.key;

type Open = { what: 'add' } | { what: 'paste' } | { what: 'edit' | 'delete'; variable: EnvVariable };

/** The environment variables of the function; a change applies from the next run. */
export function Component() {
  const functionId = idIn(useParams());
  const params = { function_id: functionId };
  const { env } = usePrefetchedQuery(envQuery(functionId)).data;
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const reason = useReason('envCreate');
  useFocusFallback(env.length);
  const inCode = LANGUAGES[fn.runtime].envExample;
  const add = () => setOpen({ what: 'add' });
  const paste = () => setOpen({ what: 'paste' });
  usePageActions([
    { label: 'Add a variable', icon: Plus, reason, onSelect: add },
    { label: 'Paste a .env', icon: ClipboardPaste, reason, onSelect: paste },
  ]);
  const remove = useApiMutation('envDelete', {
    failure: 'The variable was not removed',
    invalidates: ['envList'],
    onSuccess: close,
  });
  const columns = useMemo(
    () =>
      col.columns([
        ...facts,
        col.display({
          id: 'actions',
          header: () => <span className="sr-only">Actions</span>,
          meta: { width: '28px', phone: 'tail' },
          cell: ({ row: { original } }) => (
            <EnvMenu
              functionId={functionId}
              variable={original}
              onEdit={() => setOpen({ what: 'edit', variable: original })}
              onDelete={() => setOpen({ what: 'delete', variable: original })}
            />
          ),
        }),
      ]),
    [functionId],
  );
  const buttons = (
    <>
      <Button icon={ClipboardPaste} reason={reason} onClick={paste}>
        Paste a .env…
      </Button>
      <Button variant="primary" icon={Plus} reason={reason} onClick={add}>
        Add variable
      </Button>
    </>
  );
  return (
    <>
      <div className="flex min-h-12 flex-none flex-wrap items-center gap-2 px-4 py-2 max-sm:px-3">
        <p className="min-w-60 flex-1 text-fg-2">
          Read in the code as <code className="text-fg">{inCode}</code>. Changes apply from the next run.
        </p>
        <span className="max-sm:hidden">
          <CopyAsCurl text={() => curlText('envList', { params })} what="list variables" />
        </span>
        {env.length > 0 ? buttons : null}
      </div>
      <DataTable
        label="Environment"
        rows={env}
        columns={columns}
        rowId={rowId}
        after={
          env.length === 0 ? (
            <EmptyState title="No variables yet" actions={buttons}>
              Variables keep addresses and secrets out of the code. Sensitive ones can be written and never read again.
            </EmptyState>
          ) : null
        }
      />
      {open?.what === 'add' ? <EnvDialog functionId={functionId} onClose={close} /> : null}
      {open?.what === 'edit' ? <EnvDialog functionId={functionId} variable={open.variable} onClose={close} /> : null}
      {open?.what === 'paste' ? <PasteEnvDialog functionId={functionId} env={env} onClose={close} /> : null}
      <ConfirmDialog
        open={open?.what === 'delete'}
        onClose={close}
        title={open?.what === 'delete' ? `Remove ${open.variable.key}` : 'Remove'}
        confirmLabel="Remove variable"
        pending={remove.isPending}
        onConfirm={() =>
          open?.what === 'delete' ? remove.mutate({ params: { ...params, key: open.variable.key } }) : undefined
        }
      >
        <p className="mb-3">The next run of {fn.name} will not have it. Its value can’t be recovered.</p>
        {open?.what === 'delete' ? (
          <Impact
            of={{ kind: 'ENVIRONMENT', id: open.variable.key, function_id: functionId }}
            parts={IN_FUNCTION}
            none="No code of this function names it."
          />
        ) : null}
      </ConfirmDialog>
    </>
  );
}
