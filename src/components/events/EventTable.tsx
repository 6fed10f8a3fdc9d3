import { RotateCw } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { EventRow } from '../../api/entities.ts';
import { useHotkey } from '../../hooks/use-hotkey.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { middleCut, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import type { SelectOption } from '../../ui/controls/Select.tsx';
import { KeyHint } from '../../ui/KeyCap.tsx';
import type { ReplayScope, Which } from '../bulk-replay/replay-input.ts';
import { useBulkState } from '../replays/use-bulk-state.ts';
import { useReplay } from '../replays/use-replay.ts';
import { useSetFilters } from './EventFilterBar.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { eventColumns, triggerEventColumns } from './event-columns.tsx';
import { eventFilterDefaults, replayScope } from './event-query.ts';
import type { EventList } from './use-event-list.ts';

export interface EventTableProps {
  readonly events: EventList;
  readonly triggers?: readonly SelectOption[] | undefined;
  /** The empty state before the first event. */
  readonly empty: ReactNode;
}

const BulkReplayPanel = lazy(() => import('../bulk-replay/BulkReplayPanel.tsx'));

const nameOf = (event: EventRow) => `event ${middleCut(event.event_id)}`;

const versionOf = ({ outcomes }: EventRow) => outcomes.map(({ status, attempts }) => status + attempts).join();

/** The row that contains the focus. */
function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

/** The table of events, with keys to navigate, select and replay. A row opens the panel beside the list. */
export function EventTable({ events, triggers, empty }: EventTableProps) {
  const { list, triggerId, setFilters, picks, currentId, search } = events;
  const filters = useSetFilters(events, triggers);
  const { replay, reason } = useReplay();
  const replayFocused = () => {
    const event = list.rows.find(({ event_id }) => event_id === focusedRow());
    if (event) replay(event);
  };
  // an open panel handles the key
  const inList = currentId === undefined;
  useHotkey('r', replayFocused, { enabled: inList && reason === undefined });
  usePageActions(
    inList ? [{ label: 'Replay the event', kbd: 'r', icon: RotateCw, reason, onSelect: replayFocused }] : [],
  );

  const linkTo = ({ trigger_id, event_id }: EventRow) =>
    (triggerId === undefined ? path.event(trigger_id, event_id) : path.triggerEvent(trigger_id, event_id)) + search;
  // The list of all events has the menu in its head.
  const isExported = triggerId !== undefined && list.rows.length > 0 && picks.ids.length === 0;
  return (
    <>
      <QueryTable
        label="Events"
        noun="events"
        list={list}
        columns={triggerId === undefined ? eventColumns : triggerEventColumns}
        rowName={nameOf}
        rowVersion={versionOf}
        rowLink={linkTo}
        currentId={currentId}
        selection={reason === undefined ? picks : undefined}
        filters={filters}
        onClearFilters={() => setFilters(eventFilterDefaults)}
        empty={empty}
        foot={
          <span className="flex flex-wrap items-center gap-x-2">
            {reason === undefined ? <Picked events={events} /> : null}
            {isExported ? <ExportMenu events={events} size="sm" variant="ghost" /> : null}
          </span>
        }
        keys={reason === undefined ? <KeyHint keys={['r']}>replay</KeyHint> : null}
      />
      <BulkReplay events={events} />
    </>
  );
}

/** The number of selected events, and the actions for them. */
function Picked({ events: { triggerId, picks, list } }: { events: EventList }) {
  const [, setBulk] = useBulkState();
  const { ids } = picks;
  const all = (
    <Button size="sm" variant="ghost" icon={ids.length > 0 ? undefined : RotateCw} onClick={() => setBulk('all')}>
      Replay all matching…
    </Button>
  );
  if (ids.length === 0) return triggerId === undefined || list.rows.length === 0 ? null : all;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="text-fg-2">{ids.length} selected</span>
      <Button size="sm" icon={RotateCw} onClick={() => setBulk('picked')}>
        Replay {plural(ids.length, 'event')}…
      </Button>
      <Button size="sm" onClick={() => setBulk('failed')}>
        Replay failed only…
      </Button>
      {all}
      <Button size="sm" variant="ghost" onClick={picks.clear}>
        Clear
      </Button>
    </span>
  );
}

/** The bulk replay panel, if it is open. */
function BulkReplay({ events }: { events: EventList }) {
  const { triggerId, filters, begin, picks, bulk, currentId } = events;
  const [, setBulk] = useBulkState();
  const close = () => setBulk('');
  const shared = { triggerId: triggerId ?? filters.trigger, onClose: close };
  if (bulk === 'picked' || bulk === 'failed') {
    return (
      <Suspense>
        <BulkReplayPanel
          {...shared}
          title={plural(picks.ids.length, 'selected event')}
          scope={{ event_ids: [...picks.ids] }}
          which={bulk === 'failed' ? 'failed' : 'all'}
          onStarted={() => {
            close();
            picks.clear();
          }}
        />
      </Suspense>
    );
  }
  if (bulk === 'event' && currentId !== undefined) {
    return (
      <Suspense>
        <BulkReplayPanel
          {...shared}
          title={`event ${middleCut(currentId)}`}
          scope={{ event_ids: [currentId] }}
          which="all"
          onStarted={close}
        />
      </Suspense>
    );
  }
  if (bulk !== 'all') return null;
  return (
    <Suspense>
      <BulkReplayPanel
        {...shared}
        title="all events that match"
        scope={replayScope(triggerId, filters, begin) as ReplayScope}
        which={WHICH_BY_STATUS[filters.status] ?? 'failed'}
        onStarted={close}
      />
    </Suspense>
  );
}
const WHICH_BY_STATUS: Readonly<Record<string, Which>> = {
  HELD: 'held',
  SKIPPED: 'skipped',
  SUCCEEDED: 'all',
  CANCELED: 'all',
};
