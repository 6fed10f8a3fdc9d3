import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EventRow } from '../api/entities.ts';
import { useHotkey } from '../hooks/use-hotkey.ts';
import { usePageActions } from '../layouts/page-actions.ts';
import { middleCut, plural } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { QueryTable } from '../table/QueryTable.tsx';
import { Button } from '../ui/Button.tsx';
import { KeyHint } from '../ui/KeyCap.tsx';
import type { SelectOption } from '../ui/Select.tsx';
import { useSetFilters } from './EventFilterBar.tsx';
import { eventColumns, triggerEventColumns } from './event-columns.tsx';
import { eventFilterDefaults } from './event-query.ts';
import { useBulkReplay } from './use-bulk-replay.ts';
import type { EventList } from './use-event-list.ts';
import { type EventIds, useReplay } from './use-replay.ts';

export interface EventTableProps {
  readonly events: EventList;
  readonly triggers?: readonly SelectOption[] | undefined;
  /** Where no event has come yet. */
  readonly empty: ReactNode;
}

const nameOf = (event: EventRow) => `event ${middleCut(event.event_id)}`;

const versionOf = ({ outcomes }: EventRow) => outcomes.map(({ status, attempts }) => status + attempts).join();

/** The row the keyboard is in. */
function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

/** The events themselves: walked, picked and replayed by keys; a row leads to the panel beside the list. */
export function EventTable({ events, triggers, empty }: EventTableProps) {
  const { list, triggerId, setFilters, picks, currentId, search } = events;
  const filters = useSetFilters(events, triggers);
  const { replay, reason } = useReplay();
  const replayFocused = () => {
    const event = list.rows.find(({ event_id }) => event_id === focusedRow());
    if (event) replay(event);
  };
  // with an open panel the key is the panel's
  const inList = currentId === undefined;
  useHotkey('r', replayFocused, { enabled: inList && reason === undefined });
  usePageActions(
    inList ? [{ label: 'Replay the event', kbd: 'r', icon: RotateCw, reason, onSelect: replayFocused }] : [],
  );

  const linkTo = ({ trigger_id, event_id }: EventRow) =>
    (triggerId === undefined ? path.event(trigger_id, event_id) : path.triggerEvent(trigger_id, event_id)) + search;
  return (
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
      foot={<Picked events={events} />}
      keys={reason === undefined ? <KeyHint keys={['r']}>replay</KeyHint> : null}
    />
  );
}

/** What is picked, and what can be done with it. */
function Picked({ events: { list, picks } }: { events: EventList }) {
  const bulk = useBulkReplay(picks.clear);
  const picked: EventIds[] = list.rows.filter(({ event_id }) => picks.ids.includes(event_id));
  if (bulk.progress) {
    const { done, total } = bulk.progress;
    return (
      <span className="flex items-center gap-2">
        Replaying {done + 1} of {total}…
        <Button size="sm" variant="ghost" onClick={bulk.stop}>
          Stop
        </Button>
      </span>
    );
  }
  if (picked.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="text-fg-2">{picked.length} selected</span>
      <Button size="sm" icon={RotateCw} onClick={() => bulk.start(picked, {})}>
        Replay {plural(picked.length, 'event')}
      </Button>
      <Button size="sm" onClick={() => bulk.start(picked, { only_failed: true })}>
        Only failed
      </Button>
      <Button size="sm" variant="ghost" onClick={picks.clear}>
        Clear
      </Button>
    </span>
  );
}
