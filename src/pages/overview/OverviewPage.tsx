import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { EventRow, RunRow } from '../../api/entities.ts';
import { ensure, type PagesQuery } from '../../api/queries.ts';
import { Link } from '../../components/Link.tsx';
import { DeliveryChip, RunChip } from '../../components/status.tsx';
import { usePreference } from '../../hooks/use-preference.ts';
import { failingTriggersQuery, newestTriggersQuery } from '../../layouts/attention.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { formatDuration } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { PageHead } from '../../ui/PageHead.tsx';
import { Time } from '../../ui/Time.tsx';
import { LatestList } from './LatestList.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import {
  connectionsQuery,
  functionsQuery,
  keysQuery,
  latestEventsQuery,
  latestFailedQuery,
  latestRetryingQuery,
  latestRunsQuery,
} from './overview-queries.ts';
import { firstSteps, stepsWillShow, useStepsDone } from './steps-done.ts';

export const handle: Handle = { crumb: 'Overview' };
export const loader = async () => {
  await ensure(
    connectionsQuery,
    newestTriggersQuery,
    failingTriggersQuery,
    functionsQuery,
    keysQuery,
    latestFailedQuery,
    latestRetryingQuery,
    latestEventsQuery,
    latestRunsQuery,
  );
  // most visits come after the last step and never load them
  if (stepsWillShow()) await loadFirstSteps();
  return null;
};

const loadFirstSteps = () => import('./FirstSteps.tsx');
const FirstSteps = lazy(loadFirstSteps);
/** They draw: the page stands without them. */
const OverviewFigures = lazy(() => import('./OverviewFigures.tsx'));
const SHOWN = 8;

function useNewest<Page, Row>(query: PagesQuery<Page>, rowsOf: (page: Page) => readonly Row[]): readonly Row[] {
  const { data } = useInfiniteQuery(query);
  const first = data?.pages[0];
  return first === undefined ? [] : rowsOf(first).slice(0, SHOWN);
}

/** What needs a hand first, then what happened over time, then what happened last. */
export function Component() {
  const done = useStepsDone();
  const [steps] = usePreference(firstSteps);
  const stepsLeft = steps === 'shown' && Object.values(done).includes(false);
  const events = useNewest(latestEventsQuery, (page) => page.events);
  const runs = useNewest(latestRunsQuery, (page) => page.runs);
  return (
    <>
      <PageHead title="Overview" />
      <ScrollPage label="Overview">
        {stepsLeft ? (
          <Suspense>
            <FirstSteps done={done} />
          </Suspense>
        ) : null}
        <NeedsAttention />
        {events.length + runs.length > 0 ? (
          <Suspense fallback={<div className="h-96" />}>
            <OverviewFigures />
          </Suspense>
        ) : null}
        <div className="grid border-t border-line lg:grid-cols-2">
          <LatestList
            title="Latest events"
            all={{ to: path.events(), label: 'All events' }}
            rows={events}
            rowId={(event) => event.event_id}
            empty="No events yet. A trigger makes the first one."
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
      </ScrollPage>
    </>
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
        <span key={outcome.delivery_id} className={index > 0 ? 'max-xl:hidden' : undefined}>
          <DeliveryChip status={outcome.status} quietName={outcome.destination_name} data={outcome.destination_name} />
        </span>
      ))}
    </>
  );
}

/** The two outcomes most worth a look. */
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
