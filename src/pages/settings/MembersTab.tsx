import { History as HistoryIcon, MoreHorizontal, Plus, UserMinus, UserPlus } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { mayDropOwner, ROLES, type Role } from '../../../contract/states.ts';
import type { Member } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { ensure, q, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason, useSession } from '../../api/session.ts';
import { CopyAsCurlItem, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { plural, sentenceCase } from '../../lib/format.ts';
import { columnsOf } from '../../table/columns.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuChoice, MenuHead, MenuItem, MenuSeparator } from '../../ui/overlays/MenuItem.tsx';
import { Time } from '../../ui/Time.tsx';
import { InviteDialog } from './InviteDialog.tsx';

const membersQuery = q('memberList');
const keysQuery = q('apiKeyList');

export const loader = () => ensure(membersQuery, keysQuery);
export const handle: Handle = { crumb: 'Members' };

const col = columnsOf<Member>();
const facts = [
  col.accessor('name', {
    header: 'Member',
    meta: { width: 'minmax(160px, 1fr)', phone: 'lead' },
    cell: ({ row: { original } }) => (
      <span className="min-w-0 truncate">
        <span className="font-medium">{original.name}</span>
        <span className="ml-2 text-12 text-fg-3">{original.email}</span>
      </span>
    ),
  }),
  col.accessor('role', {
    header: 'Role',
    meta: { width: '80px', phone: 'below' },
    cell: ({ getValue }) => sentenceCase(getValue()),
  }),
  col.accessor('status', {
    header: 'Status',
    meta: { width: '96px', phone: 'end' },
    cell: ({ getValue }) =>
      getValue() === 'ACTIVE' ? (
        <Chip tone="ok" quiet>
          Active
        </Chip>
      ) : (
        <Chip tone="warn" icon={statusIcons.pending}>
          Invited
        </Chip>
      ),
  }),
  col.accessor('second_factor', {
    header: 'Second factor',
    meta: { width: '104px', fold: true },
    cell: ({ getValue }) =>
      getValue() === true ? 'Yes' : <span className="text-fg-3">{getValue() === null ? '–' : 'No'}</span>,
  }),
  col.accessor('last_seen_at', {
    header: 'Last seen',
    meta: { width: '112px', fold: true },
    cell: ({ getValue }) => (getValue() === null ? <span className="text-fg-3">never</span> : <Time at={getValue()} />),
  }),
];
const HistoryList = lazy(() => import('../../components/history/HistoryList.tsx'));
const memberId = (member: Member) => member.user_id;

/** The members of the account and their roles. */
export function Component() {
  const { members } = usePrefetchedQuery(membersQuery).data;
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const [opened, setOpened] = useState<string>();
  const shown = members.find(({ user_id }) => user_id === opened);
  const mayInvite = useReason('memberCreate');
  usePageActions([{ label: 'Invite a member', icon: UserPlus, reason: mayInvite, onSelect: () => setInviting(true) }]);
  const owners = members.filter((member) => member.role === 'OWNER' && member.status === 'ACTIVE').length;
  const columns = useMemo(
    () =>
      col.columns([
        ...facts,
        col.display({
          id: 'actions',
          header: () => <span className="sr-only">Actions</span>,
          meta: { width: '28px', phone: 'tail' },
          cell: ({ row }) => (
            <MemberMenu
              member={row.original}
              owners={owners}
              onRemove={setRemoving}
              onHistory={() => setOpened(row.original.user_id)}
            />
          ),
        }),
      ]),
    [owners],
  );
  return (
    <>
      <div className="flex min-h-12 flex-none items-center gap-2 px-4 py-2 max-sm:px-3">
        <p className="min-w-0 flex-1 text-fg-2">
          Viewers can view everything, admins can also make changes, owners can also manage members.
        </p>
        <Button variant="primary" icon={Plus} onClick={() => setInviting(true)} reason={mayInvite}>
          Invite
        </Button>
      </div>
      <DataTable label="Members" rows={members} columns={columns} rowId={memberId} />
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      <Dialog wide open={shown !== undefined} onClose={() => setOpened(undefined)} title={`History of ${shown?.name}`}>
        {shown ? (
          <Suspense fallback={<p className="text-fg-3">Loading the history…</p>}>
            <HistoryList
              id={shown.user_id}
              update="memberUpdate"
              params={{ user_id: shown.user_id }}
              current={shown}
              invalidates={['memberList', 'sessionGet']}
            />
          </Suspense>
        ) : null}
      </Dialog>
      <Remove key={removing?.user_id} member={removing} onClose={() => setRemoving(undefined)} />
    </>
  );
}

type MemberMenuProps = {
  member: Member;
  owners: number;
  onRemove: (member: Member) => void;
  onHistory: () => void;
};

function MemberMenu({ member, owners, onRemove, onHistory }: MemberMenuProps) {
  const { user_id } = useSession();
  const mayChange = useReason('memberUpdate');
  const change = useApiMutation('memberUpdate', {
    failure: `The role of ${member.name} was not changed`,
    invalidates: ['memberList', 'sessionGet', 'auditList'],
  });
  const lastOwner = member.role === 'OWNER' && member.status === 'ACTIVE' ? mayDropOwner(owners) : undefined;
  const kept = lastOwner && !lastOwner.can ? lastOwner.reason : undefined;
  const params = { user_id: member.user_id };
  const setRole = (role: Role) => {
    if (role !== member.role) change.mutate({ params, body: { role } });
  };
  return (
    <Menu
      label={`Actions for ${member.name}`}
      align="end"
      trigger={(trigger) => (
        <IconButton {...trigger} size="sm" icon={MoreHorizontal} label={`Actions for ${member.name}`} tip="Actions" />
      )}
    >
      <MenuHead>{mayChange ?? kept ?? 'Role'}</MenuHead>
      {mayChange || kept
        ? null
        : ROLES.map((role) => (
            <MenuChoice key={role} checked={role === member.role} onSelect={() => setRole(role)}>
              {sentenceCase(role)}
            </MenuChoice>
          ))}
      <MenuSeparator />
      <MenuItem icon={HistoryIcon} onSelect={onHistory}>
        History…
      </MenuItem>
      <CopyAsCurlItem text={() => curlText('memberUpdate', { params, body: { role: member.role } })}>
        Copy role change as curl
      </CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('memberDelete', { params })}>Copy removal as curl</CopyAsCurlItem>
      <MenuItem icon={UserMinus} danger reason={mayChange ?? kept} onSelect={() => onRemove(member)}>
        {member.user_id === user_id ? 'Leave the account…' : 'Remove…'}
      </MenuItem>
    </Menu>
  );
}

function Remove({ member, onClose }: { member: Member | undefined; onClose: () => void }) {
  const { api_keys } = usePrefetchedQuery(keysQuery).data;
  const [revokes, setRevokes] = useState(false);
  const keys = api_keys.filter(({ created_by_user_id }) => created_by_user_id === member?.user_id);
  const remove = useApiMutation('memberDelete', {
    failure: 'The member was not removed',
    invalidates: ['memberList', 'apiKeyList', 'auditList'],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open={member !== undefined}
      onClose={onClose}
      title={`Remove ${member?.name ?? 'member'}`}
      confirmLabel="Remove member"
      typeName={member?.name}
      pending={remove.isPending}
      onConfirm={() =>
        member ? remove.mutate({ params: { user_id: member.user_id }, query: { revoke_keys: revokes } }) : undefined
      }
    >
      <p>They are signed out of this account and need a new invitation to return.</p>
      {keys.length > 0 ? (
        <>
          <p className="mt-3 wrap-anywhere">
            They created {plural(keys.length, 'API key')}: {keys.map(({ name }) => name).join(', ')}. Programs that use
            {keys.length === 1 ? ' it' : ' them'} continue to work until you revoke {keys.length === 1 ? 'it' : 'them'}.
          </p>
          <div className="mt-3">
            <Checkbox
              label={keys.length === 1 ? 'Revoke this key now' : `Revoke these ${keys.length} keys now`}
              checked={revokes}
              onChange={({ target }) => setRevokes(target.checked)}
            />
          </div>
        </>
      ) : null}
    </ConfirmDialog>
  );
}
