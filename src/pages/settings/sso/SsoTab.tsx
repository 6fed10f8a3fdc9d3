import { MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { IdentityProvider } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { sessionQuery, useReason, useSession } from '../../../api/session.ts';
import { CopyAsCurlItem, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { NextStep } from '../../../components/NextStep.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { columnsOf } from '../../../table/columns.ts';
import { DataTable } from '../../../table/DataTable.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../ui/overlays/MenuItem.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';

function NoProviders({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      title="No identity providers yet"
      actions={
        <Button variant="primary" icon={Plus} onClick={onNew}>
          New provider
        </Button>
      }
    >
      Members can sign in through any OpenID Connect provider, such as Google, Microsoft Entra ID, Okta or Keycloak.
    </EmptyState>
  );
}

const listQuery = q('identityProviderList');

export const handle: Handle = { crumb: 'Single sign-on' };
/** Only owners may read the providers. */
export const loader = async () => {
  const session = queryClient.getQueryData(sessionQuery.queryKey)?.session;
  return session?.role === 'OWNER' ? ensure(listQuery, q('accountGet')) : null;
};

/** The identity providers of the account, and whether its members may use passwords. */
export function Component() {
  const { role } = useSession();
  if (role === 'OWNER') return <Providers />;
  return (
    <EmptyState title="Single sign-on" actions={<NextStep to={path.settings('members')}>See the owners</NextStep>}>
      Owners of the account set up its identity providers.
    </EmptyState>
  );
}

const col = columnsOf<IdentityProvider>();
const facts = [
  col.accessor('name', {
    header: 'Provider',
    meta: { width: 'minmax(160px, 1fr)', phone: 'lead' },
    cell: ({ row: { original } }) => (
      <span className="min-w-0 truncate" title={original.issuer}>
        <span className="font-medium">{original.name}</span>
        <span className="ml-2 text-12 text-fg-3">{new URL(original.issuer).host}</span>
      </span>
    ),
  }),
  col.accessor('allowed_domains', {
    header: 'Domains',
    meta: { width: 'minmax(120px, 1fr)', phone: 'below' },
    cell: ({ getValue }) => (
      <span className="truncate text-fg-2" title={getValue().join(', ')}>
        {getValue().join(', ')}
      </span>
    ),
  }),
  col.accessor('members', {
    header: 'Members',
    meta: { width: '80px', fold: true },
    cell: ({ getValue }) => <span className="data">{getValue()}</span>,
  }),
  col.accessor('enabled', {
    header: 'Status',
    meta: { width: '104px', phone: 'end' },
    cell: ({ getValue }) =>
      getValue() ? (
        <Chip tone="ok" quiet>
          Enabled
        </Chip>
      ) : (
        <Chip tone="mute" icon={statusIcons.disabled}>
          Disabled
        </Chip>
      ),
  }),
];
const providerId = (provider: IdentityProvider) => provider.provider_id;

function Providers() {
  const { identity_providers, installation_providers, ...urls } = usePrefetchedQuery(listQuery).data;
  const [editing, setEditing] = useState<IdentityProvider | 'new'>();
  const [deleting, setDeleting] = useState<IdentityProvider>();
  const openNew = () => setEditing('new');
  const columns = useMemo(
    () =>
      col.columns([
        ...facts,
        col.display({
          id: 'actions',
          header: () => <span className="sr-only">Actions</span>,
          meta: { width: '28px', phone: 'tail' },
          cell: ({ row }) => <ProviderMenu provider={row.original} onEdit={setEditing} onDelete={setDeleting} />,
        }),
      ]),
    [],
  );
  return (
    <ScrollPage label="Single sign-on">
      <div className="flex min-h-12 items-center gap-2 px-4 py-2 max-sm:px-3">
        <p className="min-w-0 flex-1 text-fg-2">
          Members sign in through an identity provider with a verified email address of its domains.
        </p>
        {identity_providers.length > 0 ? (
          <Button variant="primary" icon={Plus} onClick={openNew}>
            New provider
          </Button>
        ) : null}
      </div>
      <DataTable
        label="Identity providers"
        rows={identity_providers}
        columns={columns}
        rowId={providerId}
        after={identity_providers.length === 0 ? <NoProviders onNew={openNew} /> : null}
      />
      <div className="max-w-[720px] divide-y divide-line">
        {installation_providers.length > 0 ? (
          <Section title="Of this installation" lead="The operator configured these for all accounts.">
            <KeyValueList
              items={installation_providers.map(({ name, issuer }) => ({ name, value: issuer, mono: true }))}
            />
          </Section>
        ) : null}
        <Section title="URLs" lead="Register the redirect URL and the sign-out URL at the provider.">
          <KeyValueList
            items={[
              { name: 'Redirect URL', value: <Copied text={urls.redirect_url} label="Copy redirect URL" /> },
              { name: 'Sign-out URL', value: <Copied text={urls.sign_out_url} label="Copy sign-out URL" /> },
              { name: 'Sign-in page', value: <Copied text={urls.sign_in_url} label="Copy sign-in page" /> },
            ]}
          />
        </Section>
        <Section title="Passwords" lead="API keys work in any case.">
          <PasswordSignIn />
        </Section>
      </div>
      {editing ? (
        <ProviderDialog
          provider={editing === 'new' ? undefined : editing}
          redirectUrl={urls.redirect_url}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      <Delete provider={deleting} onClose={() => setDeleting(undefined)} />
    </ScrollPage>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="data wrap-anywhere">{text}</span>
      <span className="flex-none">
        <CopyButton text={text} label={label} />
      </span>
    </span>
  );
}

function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="px-4 py-4 max-sm:px-3">
      <h2 className="text-14">{title}</h2>
      <p className="mt-1 text-fg-2">{lead}</p>
      <div className="mt-3">{children}</div>
    </section>
  );
}

const LISTS = ['identityProviderList', 'auditList'] as const;

type ProviderMenuProps = {
  provider: IdentityProvider;
  onEdit: (provider: IdentityProvider) => void;
  onDelete: (provider: IdentityProvider) => void;
};

function ProviderMenu({ provider, onEdit, onDelete }: ProviderMenuProps) {
  const { name, enabled, provider_id } = provider;
  const params = { provider_id };
  const reason = useReason('identityProviderUpdate');
  const change = useApiMutation('identityProviderUpdate', { failure: `${name} was not changed`, invalidates: LISTS });
  const test = useApiMutation('identityProviderTest', {
    failure: `${name} was not tested`,
    invalidates: ['auditList'],
    onSuccess: ({ test: { succeeded, message } }) =>
      toast({
        title: succeeded ? `${name} can be reached` : `${name} can’t be used`,
        description: message,
        tone: succeeded ? 'ok' : 'bad',
      }),
  });
  return (
    <Menu
      label={`Actions for ${name}`}
      align="end"
      trigger={(trigger) => (
        <IconButton {...trigger} size="sm" icon={MoreHorizontal} label={`Actions for ${name}`} tip="Actions" />
      )}
    >
      <MenuItem icon={Pencil} reason={reason} onSelect={() => onEdit(provider)}>
        Edit…
      </MenuItem>
      <MenuItem reason={reason} onSelect={() => test.mutate({ params })}>
        Test
      </MenuItem>
      <MenuItem reason={reason} onSelect={() => change.mutate({ params, body: { enabled: !enabled } })}>
        {enabled ? 'Disable' : 'Enable'}
      </MenuItem>
      <CopyAsCurlItem text={() => curlText('identityProviderDelete', { params })}>Copy deletion as curl</CopyAsCurlItem>
      <MenuItem icon={Trash2} danger reason={reason} onSelect={() => onDelete(provider)}>
        Delete…
      </MenuItem>
    </Menu>
  );
}

function Delete({ provider, onClose }: { provider: IdentityProvider | undefined; onClose: () => void }) {
  const remove = useApiMutation('identityProviderDelete', {
    failure: 'The identity provider was not deleted',
    invalidates: LISTS,
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open={provider !== undefined}
      onClose={onClose}
      title={`Delete ${provider?.name ?? 'identity provider'}`}
      confirmLabel="Delete provider"
      typeName={provider?.name}
      pending={remove.isPending}
      onConfirm={() => (provider ? remove.mutate({ params: { provider_id: provider.provider_id } }) : undefined)}
    >
      {`${plural(provider?.members ?? 0, 'member')} signed in through it. Their sessions end, and those without a password can’t sign in until another provider vouches for them.`}
    </ConfirmDialog>
  );
}
