import { useState } from 'react';
import { CONNECTION_ACTIONS, type ConnectionAction } from '../../../../contract/states.ts';
import { useReason } from '../../../api/session.ts';
import type { RowPicks } from '../../../components/events/use-row-picks.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../ui/overlays/MenuItem.tsx';
import { BulkDialog, type BulkTarget, VERBS } from './BulkDialog.tsx';

export interface BulkActionsProps {
  readonly picks: RowPicks;
  /** All that the filters match. */
  readonly matching: Extract<BulkTarget, { filter: unknown }>;
}

type Open = { readonly action: ConnectionAction; readonly target: BulkTarget };

/** Actions on the selected connections, or on all that match the filters. */
export function BulkActions({ picks, matching }: BulkActionsProps) {
  const [open, setOpen] = useState<Open>();
  const reason = useReason('connectionBulk');
  const { ids } = picks;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {ids.length > 0 ? (
        <>
          <span className="text-fg-2">{ids.length} selected</span>
          <Actions
            label="Change selected"
            reason={reason}
            onAction={(action) => setOpen({ action, target: { connection_ids: [...ids] } })}
          />
        </>
      ) : null}
      <Actions
        label="Change all matching"
        reason={reason}
        onAction={(action) => setOpen({ action, target: matching })}
      />
      {ids.length > 0 ? (
        <Button size="sm" variant="ghost" onClick={picks.clear}>
          Clear
        </Button>
      ) : null}
      {open ? (
        <BulkDialog
          {...open}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            picks.clear();
          }}
        />
      ) : null}
    </span>
  );
}

interface ActionsProps {
  readonly label: string;
  readonly reason: string | undefined;
  readonly onAction: (action: ConnectionAction) => void;
}

function Actions({ label, reason, onAction }: ActionsProps) {
  return (
    <Menu
      label={label}
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost">
          {label}…
        </Button>
      )}
    >
      {CONNECTION_ACTIONS.map((action) => (
        <MenuItem
          key={action}
          reason={reason}
          danger={action === 'DELETE' || action === 'DISCONNECT'}
          onSelect={() => onAction(action)}
        >
          {VERBS[action]}…
        </MenuItem>
      ))}
    </Menu>
  );
}
