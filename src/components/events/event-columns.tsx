import { Pin } from 'lucide-react';
import type { EventRow } from '../../api/entities.ts';
import { columnsOf } from '../../table/columns.ts';
import { Time } from '../../ui/Time.tsx';
import { SourceMark } from '../apps/SourceMark.tsx';
import { shownType, summaryOf } from './event-summary.ts';
import { OutcomeChips } from './OutcomeChips.tsx';

const pinWords = ({ by, note }: NonNullable<EventRow['pin']>) => `Pinned by ${by}${note === null ? '' : `: ${note}`}`;

const col = columnsOf<EventRow>();

const time = col.accessor('received_at', {
  header: 'Time',
  meta: { width: '96px', sorted: 'descending', phone: 'tail' },
  cell: ({ getValue }) => <Time at={getValue()} as="clock" className="text-fg-2" />,
});
const type = col.accessor('event_type', {
  header: 'Type',
  meta: { width: 'minmax(150px, 0.9fr)', phone: 'lead' },
  cell: ({ row: { original } }) => (
    <>
      <SourceMark source={original.source} />
      <span className="data min-w-0 truncate" dir="auto" title={`${shownType(original)} (${original.event_type})`}>
        {shownType(original)}
      </span>
      {original.pin === null ? null : (
        <span className="flex-none text-fg-3" title={pinWords(original.pin)}>
          <Pin size={12} strokeWidth={2} aria-hidden />
          <span className="sr-only">Pinned</span>
        </span>
      )}
    </>
  ),
});
const trigger = col.accessor('trigger_name', {
  header: 'Trigger',
  meta: { width: 'minmax(96px, 0.8fr)', fold: true },
  cell: ({ getValue }) => (
    <span className="min-w-0 truncate text-fg-2" dir="auto" title={getValue()}>
      {getValue()}
    </span>
  ),
});
const summary = col.accessor('payload', {
  header: 'Summary',
  meta: { width: 'minmax(72px, 1.2fr)', phone: 'below' },
  cell: ({ getValue }) => (
    <span className="data min-w-0 truncate text-fg-3" dir="auto">
      {summaryOf(getValue())}
    </span>
  ),
});
const outcome = col.accessor('outcomes', {
  header: 'Deliveries',
  meta: { width: 'minmax(208px, 1.3fr)', phone: 'end' },
  cell: ({ getValue }) => <OutcomeChips outcomes={getValue()} />,
});
const tries = col.display({
  id: 'tries',
  header: 'Attempts',
  meta: { width: '64px', align: 'end', fold: 'late' },
  cell: ({ row: { original } }) => (
    <span className="data text-fg-2">{Math.max(0, ...original.outcomes.map(({ attempts }) => attempts))}</span>
  ),
});

/** The list of all events has a trigger column; the list of one trigger does not. */
export const eventColumns = col.columns([time, type, trigger, summary, outcome, tries]);
export const triggerEventColumns = col.columns([time, type, summary, outcome, tries]);
