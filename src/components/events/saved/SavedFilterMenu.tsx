import { useQuery } from '@tanstack/react-query';
import { Bookmark, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SavedFilter } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuSeparator } from '../../../ui/overlays/MenuItem.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { Tag } from '../../../ui/Tag.tsx';
import { CopyAsCurlItem, curlText } from '../../deliveries/CopyAsCurl.tsx';
import { savedFilterDefaults } from '../event-query.ts';
import { TextDialog } from '../TextDialog.tsx';
import type { EventList } from '../use-event-list.ts';
import { conditionsOf, filtersOf, sameConditions, savedFiltersQuery } from './saved-filters.ts';

const LISTS = ['savedFilterList', 'savedFilterCounts', 'auditList'] as const;

/** The saved filter that the URL names, and whether the filters of the list differ from it. */
function useOpened({ filters }: EventList) {
  const [{ saved }] = useUrlState(savedFilterDefaults);
  const all = useQuery(savedFiltersQuery).data?.saved_filters ?? [];
  const opened = all.find(({ saved_filter_id }) => saved_filter_id === saved);
  const conditions = conditionsOf(filters);
  return { opened, conditions, changed: opened !== undefined && !sameConditions(opened.filter, conditions) };
}

function useUpdate(opened: SavedFilter | undefined, conditions: SavedFilter['filter']) {
  const role = useReason('savedFilterUpdate');
  const { mutate, isPending } = useApiMutation('savedFilterUpdate', {
    failure: 'The filter was not updated',
    invalidates: LISTS,
    onSuccess: ({ saved_filter }) => toast({ title: `${saved_filter.name} updated`, tone: 'ok' }),
  });
  const none = Object.keys(conditions).length === 0 ? NO_FILTER : undefined;
  const update = () => {
    if (opened) mutate({ params: { saved_filter_id: opened.saved_filter_id }, body: { filter: conditions } });
  };
  return { update, pending: isPending, reason: role ?? none };
}

const NO_FILTER = 'Set a filter first, such as a status.';

/** Beside the title: the name of the open saved filter, and a button to update it once it differs. */
export function SavedFilterName({ events }: { events: EventList }) {
  const { opened, conditions, changed } = useOpened(events);
  const { update, pending, reason } = useUpdate(opened, conditions);
  if (!opened) return null;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 truncate text-14 text-fg-2" title={opened.name}>
        {opened.name}
      </span>
      {changed ? (
        <>
          <Tag>changed</Tag>
          <Button size="sm" pending={pending} reason={reason} onClick={update}>
            Update filter
          </Button>
        </>
      ) : null}
    </span>
  );
}

/** Saves the filters of the list; updates, renames or deletes the open saved filter. */
export function SavedFilterMenu({ events }: { events: EventList }) {
  const { opened, conditions, changed } = useOpened(events);
  const { update, reason: updateReason } = useUpdate(opened, conditions);
  const [dialog, setDialog] = useState<'save' | 'rename' | 'delete'>();
  const mayCreate = useReason('savedFilterCreate');
  const mayDelete = useReason('savedFilterDelete');
  const saveReason = mayCreate ?? (Object.keys(conditions).length === 0 ? NO_FILTER : undefined);
  const same = changed ? undefined : 'The filters of the list are those that are saved.';
  const save = () => setDialog('save');
  usePageActions([{ label: 'Save filter…', icon: Bookmark, reason: saveReason, onSelect: save }]);
  const close = () => setDialog(undefined);
  return (
    <>
      {opened ? (
        <Menu
          label="Saved filter"
          align="end"
          trigger={(opener) => (
            <Button {...opener} icon={Bookmark}>
              Saved filter
            </Button>
          )}
        >
          <MenuHead>{opened.name}</MenuHead>
          <MenuItem icon={Bookmark} reason={updateReason ?? same} onSelect={update}>
            Update filter
          </MenuItem>
          <MenuItem icon={RotateCcw} reason={same} onSelect={() => events.setFilters(filtersOf(opened.filter))}>
            Discard changes
          </MenuItem>
          <MenuItem icon={Pencil} reason={updateReason} onSelect={() => setDialog('rename')}>
            Rename…
          </MenuItem>
          <MenuItem icon={Trash2} danger reason={mayDelete} onSelect={() => setDialog('delete')}>
            Delete filter…
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Bookmark} reason={saveReason} onSelect={save}>
            Save as new filter…
          </MenuItem>
          <CopyAsCurlItem text={() => curlText('savedFilterList')} />
        </Menu>
      ) : (
        <Button icon={Bookmark} reason={saveReason} onClick={save}>
          Save filter…
        </Button>
      )}
      {dialog === 'save' ? <SaveDialog conditions={conditions} onClose={close} /> : null}
      {dialog === 'rename' && opened ? <RenameDialog opened={opened} onClose={close} /> : null}
      {dialog === 'delete' && opened ? <DeleteDialog opened={opened} onClose={close} /> : null}
    </>
  );
}

function SaveDialog({ conditions, onClose }: { conditions: SavedFilter['filter']; onClose: () => void }) {
  const [, setSaved] = useUrlState(savedFilterDefaults);
  const { mutate, error, isPending } = useApiMutation('savedFilterCreate', {
    failure: 'inline',
    invalidates: LISTS,
    onSuccess: ({ saved_filter }) => {
      onClose();
      setSaved({ saved: saved_filter.saved_filter_id });
      toast({ title: `${saved_filter.name} saved`, description: 'It is in the navigation, below Events.', tone: 'ok' });
    },
  });
  return (
    <TextDialog
      title="Save filter"
      label="Name"
      value=""
      maxLength={100}
      help="All members of the account see it in the navigation."
      submitLabel="Save filter"
      error={error}
      pending={isPending}
      onSubmit={(name) => mutate({ body: { name, filter: conditions } })}
      onClose={onClose}
    />
  );
}

interface OpenedDialogProps {
  readonly opened: SavedFilter;
  readonly onClose: () => void;
}

function RenameDialog({ opened, onClose }: OpenedDialogProps) {
  const { mutate, error, isPending } = useApiMutation('savedFilterUpdate', {
    failure: 'inline',
    invalidates: LISTS,
    onSuccess: onClose,
  });
  const params = { saved_filter_id: opened.saved_filter_id };
  return (
    <TextDialog
      title="Rename filter"
      label="Name"
      value={opened.name}
      maxLength={100}
      submitLabel="Rename filter"
      error={error}
      pending={isPending}
      onSubmit={(name) => mutate({ params, body: { name } })}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ opened, onClose }: OpenedDialogProps) {
  const [, setSaved] = useUrlState(savedFilterDefaults);
  const { mutate, isPending } = useApiMutation('savedFilterDelete', {
    failure: 'The filter was not deleted',
    invalidates: LISTS,
    onSuccess: () => {
      onClose();
      setSaved({ saved: '' });
      toast({ title: `${opened.name} deleted`, tone: 'ok' });
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Delete ${opened.name}?`}
      confirmLabel="Delete filter"
      pending={isPending}
      onConfirm={() => mutate({ params: { saved_filter_id: opened.saved_filter_id } })}
      onClose={onClose}
    >
      It disappears from the navigation of all members. Its events stay.
    </ConfirmDialog>
  );
}
