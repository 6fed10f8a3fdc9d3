import type { EventRow, RunRow } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { DeliveryChip, RunChip } from '../../components/status.tsx';
import { formatDuration } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { cx } from '../../ui/cx.ts';
import { Time } from '../../ui/Time.tsx';
import { LatestList } from './LatestList.tsx';

interface LatestListsProps {
  readonly events: readonly EventRow[];
  readonly runs: readonly RunRow[];
}

/** The latest events and runs. They are below everything else, so the page renders before they are loaded. */
export default function LatestLists({ events, runs }: LatestListsProps) {
  return (
    <div className="grid border-t border-line lg:grid-cols-2">
      <LatestList
        title="Latest events"
        all={{ to: path.events(), label: 'All events' }}
        rows={events}
        rowId={(event) => event.event_id}
        empty="No events yet. Create a trigger to receive events."
      >
        {(event) => <LatestEvent event={event} />}
      </LatestList>
      <LatestList
        title="Latest runs"
        all={{ to: path.runs(), label: 'All runs' }}
        rows={runs}
        rowId={(run) => run.run_id}
        empty="No runs yet. Call a function, or let a trigger deliver to one."
      >
        {(run) => <LatestRun run={run} />}
      </LatestList>
    </div>
  );
}

function LatestEvent({ event }: { event: EventRow }) {
  return (
    <>
      <Time at={event.received_at} as="clock" className="w-16 flex-none text-fg-3" />
      <Link
        to={path.event(event.trigger_id, event.event_id)}
        className="data min-w-0 truncate font-medium after:absolute after:inset-0"
      >
        {event.event_type}
      </Link>
      <span className="min-w-0 flex-1 truncate text-12 text-fg-3">{event.trigger_name}</span>
      {worstFirst(event).map((outcome, index) => (
        <span
          key={outcome.delivery_id}
          title={outcome.destination_name}
          className={cx('flex max-w-48 min-w-0 flex-none overflow-hidden', index > 0 && 'max-xl:hidden')}
        >
          <DeliveryChip
            status={outcome.status}
            quietName={outcome.destination_name}
            data={<span className="block max-w-24 truncate">{outcome.destination_name}</span>}
          />
        </span>
      ))}
    </>
  );
}

/** The two most relevant outcomes. */
function worstFirst({ outcomes }: EventRow) {
  const rank = { FAILED: 0, RETRYING: 1, PENDING: 2, SKIPPED: 3, CANCELED: 4, SUCCEEDED: 5 } as const;
  return [...outcomes].sort((a, b) => rank[a.status] - rank[b.status]).slice(0, 2);
}

function LatestRun({ run }: { run: RunRow }) {
  return (
    <>
      <Time at={run.created_at} as="clock" className="w-16 flex-none text-fg-3" />
      <Link
        to={path.run(run.function_id, run.run_id)}
        className="min-w-0 truncate font-medium after:absolute after:inset-0"
      >
        {run.function_name}
      </Link>
      <span className="data min-w-0 flex-1 truncate text-fg-3">
        {run.method} {run.path}
      </span>
      <RunChip status={run.status} quiet data={run.response_status ?? undefined} />
      <span className="data w-16 flex-none text-right text-fg-2">
        {run.duration_ms === null ? '–' : formatDuration(run.duration_ms)}
      </span>
    </>
  );
}
