import { useState } from 'react';
import * as z from 'zod/mini';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { ensure, q, usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { factorsQuery } from '../../components/factors/use-add-factor.tsx';
import { NEW_PASSWORD_HELP, newPassword } from '../../forms/credentials.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { browserOf } from '../../lib/browser-name.ts';
import { plural } from '../../lib/format.ts';
import { columnsOf } from '../../table/columns.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { AuthenticatorApp } from './factors/AuthenticatorApp.tsx';
import { Passkeys } from './factors/Passkeys.tsx';

const sessionsQuery = q('sessionList');
type Listed = Reply<'sessionList'>['sessions'][number];

export const handle: Handle = { crumb: 'Your sign-in' };
export const loader = () => ensure(sessionsQuery, factorsQuery);

/** The password, second factors and sessions of the signed-in user. */
export function Component() {
  return (
    <ScrollPage label="Your sign-in">
      <div className="max-w-[960px] divide-y divide-line">
        <section className="px-4 py-4 max-sm:px-3">
          <h2 className="text-14">Password</h2>
          <p className="mt-1 text-fg-2">A new password ends all your other sessions.</p>
          <div className="mt-3">
            <ChangePassword />
          </div>
        </section>
        <Passkeys />
        <AuthenticatorApp />
        <Sessions />
      </div>
    </ScrollPage>
  );
}

const schema = z.object({
  current_password: z.string().check(z.minLength(1, 'Enter your current password.')),
  new_password: newPassword,
});

function ChangePassword() {
  const { email } = useSession();
  const form = useSchemaForm(schema, { current_password: '', new_password: '' });
  const change = useApiMutation('passwordChange', {
    failure: 'inline',
    invalidates: ['sessionList', 'auditList'],
    onSuccess: (reply) => {
      queryClient.setQueryData(sessionQuery.queryKey, reply);
      form.reset();
      toast({ title: 'Password changed', tone: 'ok' });
    },
  });
  return (
    <Form
      form={form}
      onSubmit={(body) => change.mutate({ body })}
      submitError={change.error}
      loading={change.isPending}
      submitLabel="Change password"
    >
      {/* for password managers */}
      <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
      <TextField
        control={form.control}
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        className="max-w-80"
      />
      <TextField
        control={form.control}
        name="new_password"
        label="New password"
        type="password"
        autoComplete="new-password"
        help={NEW_PASSWORD_HELP}
        className="max-w-80"
      />
    </Form>
  );
}

const col = columnsOf<Listed>();
const facts = [
  col.accessor('user_agent', {
    header: 'Browser',
    meta: { width: 'minmax(160px, 1fr)', phone: 'lead' },
    cell: ({ getValue, row }) => (
      <>
        <span className="min-w-0 truncate" title={getValue() ?? undefined}>
          {browserOf(getValue())}
        </span>
        {row.original.current ? <Tag>This browser</Tag> : null}
      </>
    ),
  }),
  col.accessor('ip', {
    header: 'IP address',
    meta: { width: '128px', phone: 'below' },
    cell: ({ getValue }) => <span className="data truncate text-fg-2">{getValue() ?? '–'}</span>,
  }),
  col.accessor('last_used_at', {
    header: 'Last used',
    meta: { width: '112px', phone: 'end' },
    cell: ({ getValue }) => (getValue() === null ? <span className="text-fg-3">–</span> : <Time at={getValue()} />),
  }),
  col.accessor('created_at', {
    header: 'Signed in',
    meta: { width: '112px', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
  col.accessor('expires_at', {
    header: 'Expires',
    meta: { width: '112px', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
];
const columns = col.columns([
  ...facts,
  col.display({
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    meta: { width: '72px', phone: 'tail' },
    cell: ({ row: { original } }) => (original.current ? null : <EndSession session={original} />),
  }),
]);
const sessionId = (session: Listed) => session.session_id;

function EndSession({ session }: { session: Listed }) {
  const end = useEnd();
  return (
    <Button
      size="sm"
      pending={end.isPending}
      aria-label={`End session of ${browserOf(session.user_agent)}`}
      onClick={() => end.mutate({ body: { session_id: session.session_id } })}
    >
      End
    </Button>
  );
}

const useEnd = (onSuccess?: () => void) =>
  useApiMutation('sessionRevoke', {
    failure: 'The session was not ended',
    invalidates: ['sessionList', 'auditList'],
    onSuccess: ({ ended }) => {
      onSuccess?.();
      toast({ title: `${plural(ended, 'session')} ended`, tone: 'ok' });
    },
  });

function Sessions() {
  const { sessions } = usePrefetchedQuery(sessionsQuery).data;
  const [asking, setAsking] = useState(false);
  const end = useEnd(() => setAsking(false));
  const others = sessions.length - 1;
  return (
    <section>
      <div className="flex min-h-12 items-center gap-2 px-4 py-2 max-sm:px-3">
        <h2 className="min-w-0 flex-1 text-14">Sessions</h2>
        <Button onClick={() => setAsking(true)} reason={others > 0 ? undefined : 'This is the only session.'}>
          End all others
        </Button>
      </div>
      <DataTable label="Sessions" rows={sessions} columns={columns} rowId={sessionId} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="End all other sessions"
        confirmLabel="End sessions"
        pending={end.isPending}
        onConfirm={() => end.mutate({ body: {} })}
      >
        {`You are signed out of ${plural(others, 'other browser')}. This one stays signed in.`}
      </ConfirmDialog>
    </section>
  );
}
