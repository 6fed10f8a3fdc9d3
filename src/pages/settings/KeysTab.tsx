import { Activity, KeyRound, MoreHorizontal, Plus, RotateCw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { KeyLimits } from '../../../contract/keys/key-limits.ts';
import { KEY_UNUSED_DAYS } from '../../../contract/limits.ts';
import type { ApiKey } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { ensure, q, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { CopyAsCurl, CopyAsCurlItem, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Impact } from '../../components/impact/Impact.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { plural } from '../../lib/format.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../ui/overlays/MenuItem.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { KeyDialog } from './keys/KeyDialog.tsx';
import { KeyUsage } from './keys/KeyUsage.tsx';
import { permissionWords } from './keys/key-form.ts';
import { RotateDialog } from './keys/RotateDialog.tsx';

function NoKeys({ onNew, reason }: { onNew: () => void; reason: string | undefined }) {
  return (
    <EmptyState
      title="No API keys yet"
      actions={
        <Button variant="primary" icon={Plus} onClick={onNew} reason={reason}>
          New key
        </Button>
      }
    >
      A key lets a program call the API and, through the gateway, every connected app. It is shown once.
    </EmptyState>
  );
}

const keysQuery = q('apiKeyList');

export const loader = () => ensure(keysQuery, q('accountGet'));
export const handle: Handle = { crumb: 'API keys' };

const expired = (key: ApiKey) => key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
const UNUSED_MS = KEY_UNUSED_DAYS * 86_400_000;
/** A key that still works, and that nothing used for a long time. */
const isUnused = (key: ApiKey) =>
  !expired(key) && Date.now() - Date.parse(key.last_used_at ?? key.created_at) > UNUSED_MS;

/** A key that still works, and whose creator is no longer a member. */
const isLeftOver = (key: ApiKey) => key.creator_removed && !expired(key);

const col = columnsOf<ApiKey>();
const facts = [
  col.accessor('name', {
    header: 'Name',
    meta: { width: 'minmax(120px, 1fr)', phone: 'lead' },
    cell: ({ getValue }) => <span className="truncate font-medium">{getValue()}</span>,
  }),
  col.accessor('prefix', {
    header: 'Key',
    meta: { width: '176px', fold: 'late' },
    cell: ({ getValue, row: { original } }) => (
      <>
        <span className="data truncate text-fg-2">{getValue()}…</span>
        {original.old ? (
          <span title={`The old secret ${original.old.prefix}… works until ${original.old.expires_at.slice(0, 16)}Z.`}>
            <Tag>rotating</Tag>
          </span>
        ) : null}
      </>
    ),
  }),
  col.accessor('scopes', {
    header: 'Access',
    meta: { width: 'minmax(112px, 1fr)', phone: 'below' },
    cell: ({ row: { original } }) => <Access apiKey={original} />,
  }),
  col.accessor('last_used_at', {
    header: 'Last used',
    meta: { width: 'minmax(128px, 1fr)', fold: 'late' },
    cell: ({ row: { original } }) => <LastUse apiKey={original} />,
  }),
  col.accessor('expires_at', {
    header: 'Expires',
    meta: { width: '128px', phone: 'end' },
    cell: ({ row }) =>
      expired(row.original) ? (
        <Chip tone="mute" icon={statusIcons.disabled}>
          Expired
        </Chip>
      ) : row.original.expires_at === null ? (
        <span className="text-fg-3">no expiry</span>
      ) : (
        <Time at={row.original.expires_at} />
      ),
  }),
  col.accessor('created_at', {
    header: 'Created',
    meta: { width: '112px', sorted: 'descending', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
  col.accessor('created_by', {
    header: 'Created by',
    meta: { width: 'minmax(112px, 1fr)', fold: true },
    cell: ({ getValue, row: { original } }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate" title={getValue()}>
          {getValue()}
        </span>
        {original.creator_removed ? (
          <span title="This member was removed. The key works until it is revoked.">
            <Tag>removed</Tag>
          </span>
        ) : null}
      </span>
    ),
  }),
];

function Access({ apiKey: { access, scopes, ip_ranges } }: { apiKey: ApiKey }) {
  const words = access === 'FULL' ? 'Full access' : permissionWords(scopes);
  const all = ip_ranges ? `${words}, from ${ip_ranges.join(', ')}` : words;
  return (
    <span className="truncate" title={all}>
      {words}
      {ip_ranges ? <span className="text-fg-3"> · IP ranges</span> : null}
    </span>
  );
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { last_used_at, last_used_ip } = apiKey;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {last_used_at === null ? <span className="text-fg-3">never</span> : <Time at={last_used_at} />}
      {isUnused(apiKey) ? (
        <Chip tone="warn" icon={statusIcons.disabled}>
          Unused
        </Chip>
      ) : last_used_ip ? (
        <span className="data truncate text-12 text-fg-3" title={`From ${last_used_ip}`}>
          {last_used_ip}
        </span>
      ) : null}
    </span>
  );
}

const defaults = { new: '', usage: '' };
const keyId = (key: ApiKey) => key.key_id;

/** The account's API keys. A key is shown in clear text once, when it is created. */
export function Component() {
  const { api_keys } = usePrefetchedQuery(keysQuery).data;
  const [url, setUrl] = useUrlState(defaults);
  const [editing, setEditing] = useState<{ apiKey: ApiKey; proposal?: KeyLimits }>();
  const [rotating, setRotating] = useState<ApiKey>();
  const measured = api_keys.find(({ key_id }) => key_id === url.usage);
  const unused = api_keys.filter(isUnused);
  const leftOver = api_keys.filter(isLeftOver);
  const [revoking, setRevoking] = useState<ApiKey>();
  const mayMake = useReason('apiKeyCreate');
  const openNew = () => setUrl({ new: 'key' });
  usePageActions([{ label: 'New API key', icon: KeyRound, reason: mayMake, onSelect: openNew }]);
  const columns = useMemo(
    () =>
      col.columns([
        ...facts,
        col.display({
          id: 'actions',
          header: () => <span className="sr-only">Actions</span>,
          meta: { width: '28px', phone: 'tail' },
          cell: ({ row: { original } }) => (
            <KeyMenu
              apiKey={original}
              onUsage={() => setUrl({ usage: original.key_id })}
              onEdit={() => setEditing({ apiKey: original })}
              onRotate={() => setRotating(original)}
              onRevoke={() => setRevoking(original)}
            />
          ),
        }),
      ]),
    [setUrl],
  );
  return (
    <>
      <div className="flex min-h-12 flex-none items-center gap-2 px-4 py-2 max-sm:px-3">
        <p className="min-w-0 flex-1 text-fg-2">Use one key per integration, with the permissions that it needs.</p>
        <span className="max-sm:hidden">
          <CopyAsCurl text={() => curlText('apiKeyList')} what="list keys" />
        </span>
        {api_keys.length > 0 ? (
          <Button variant="primary" icon={Plus} onClick={openNew} reason={mayMake}>
            New key
          </Button>
        ) : null}
      </div>
      {unused.length > 0 ? (
        <Banner tone="warn">
          {unused.length === 1 ? `${unused[0]?.name} was` : `${plural(unused.length, 'key')} were`} not used for{' '}
          {KEY_UNUSED_DAYS} days. Revoke keys that nothing needs.
        </Banner>
      ) : null}
      {leftOver.length > 0 ? (
        <Banner tone="warn">
          {leftOver.length === 1
            ? `${leftOver[0]?.name} was created by a member who was removed and may still know it.`
            : `${plural(leftOver.length, 'key')} were created by members who were removed and may still know them.`}{' '}
          Rotate or revoke {leftOver.length === 1 ? 'it' : 'them'}.
        </Banner>
      ) : null}
      <DataTable
        label="API keys"
        rows={api_keys}
        columns={columns}
        rowId={keyId}
        after={api_keys.length === 0 ? <NoKeys onNew={openNew} reason={mayMake} /> : null}
      />
      {url.new ? <KeyDialog onClose={() => setUrl({ new: undefined })} /> : null}
      {editing ? <KeyDialog {...editing} onClose={() => setEditing(undefined)} /> : null}
      {rotating ? <RotateDialog apiKey={rotating} onClose={() => setRotating(undefined)} /> : null}
      {measured && !editing ? (
        <KeyUsage
          apiKey={measured}
          onClose={() => setUrl({ usage: undefined })}
          onPropose={(proposal) => {
            setUrl({ usage: undefined });
            setEditing({ apiKey: measured, proposal });
          }}
        />
      ) : null}
      <Revoke apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

type KeyMenuProps = { apiKey: ApiKey } & Record<'onUsage' | 'onEdit' | 'onRotate' | 'onRevoke', () => void>;

function KeyMenu({ apiKey, onUsage, onEdit, onRotate, onRevoke }: KeyMenuProps) {
  const mayEdit = useReason('apiKeyUpdate');
  const mayRotate = useReason('apiKeyRotate');
  const mayRevoke = useReason('apiKeyDelete');
  const params = { key_id: apiKey.key_id };
  return (
    <Menu
      label={`Actions for ${apiKey.name}`}
      align="end"
      trigger={(trigger) => (
        <IconButton {...trigger} size="sm" icon={MoreHorizontal} label={`Actions for ${apiKey.name}`} tip="Actions" />
      )}
    >
      <MenuItem icon={Activity} onSelect={onUsage}>
        Show use…
      </MenuItem>
      <MenuItem icon={KeyRound} reason={mayEdit} onSelect={onEdit}>
        Change…
      </MenuItem>
      <MenuItem icon={RotateCw} reason={mayRotate} onSelect={onRotate}>
        Rotate…
      </MenuItem>
      <CopyAsCurlItem text={() => curlText('apiKeyDelete', { params })}>Copy revoking as curl</CopyAsCurlItem>
      <MenuItem icon={Trash2} danger reason={mayRevoke} onSelect={onRevoke}>
        Revoke…
      </MenuItem>
    </Menu>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) {
  const revoke = useApiMutation('apiKeyDelete', {
    failure: 'The key was not revoked',
    invalidates: ['apiKeyList', 'auditList'],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open={apiKey !== undefined}
      onClose={onClose}
      title={`Revoke ${apiKey?.name ?? 'key'}`}
      confirmLabel="Revoke key"
      typeName={apiKey?.name}
      pending={revoke.isPending}
      onConfirm={() => (apiKey ? revoke.mutate({ params: { key_id: apiKey.key_id } }) : undefined)}
    >
      <p className="mb-3">
        Requests with <span className="data text-fg">{apiKey?.prefix}…</span> will be rejected. This can’t be undone. It
        was last used <Used at={apiKey?.last_used_at} />.
      </p>
      {apiKey ? <Impact of={{ kind: 'API_KEY', id: apiKey.key_id }} /> : null}
    </ConfirmDialog>
  );
}

function Used({ at }: { at: string | null | undefined }) {
  return at ? <Time at={at} className="text-fg" /> : <>never</>;
}
