/** Statistics over time. Loaded after the page is rendered, with the chart code. */
import { type Counted, fittingRange } from '../../charts/fitting-range.ts';
import { RANGE_WORDS } from '../../charts/ranges.ts';
import '../../charts/charts.css';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { CALL_RANGES } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { isoTime, type Span } from '../../charts/chart-times.ts';
import { FigureControls } from '../../charts/FigureControls.tsx';
import {
  bucketsOf,
  durationTick,
  type EventStats,
  lastBusy,
  latencySeries,
  OUTCOMES,
  outcomeSeries,
  PERCENTILES,
  totalOf,
} from '../../components/events/event-stats.ts';
import { formatCount, formatDuration, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AppCallList } from './AppCallList.tsx';
import { CallChart } from './CallChart.tsx';
import { type FiguresProps, OverviewFigureTable } from './OverviewFigureTable.tsx';
import {
  type CallStats,
  callFiguresQuery,
  eventFiguresQuery,
  type RunStats,
  runFiguresQuery,
  runSeries,
} from './overview-figures.ts';
import { firstCallQuery, latestRunsQuery, triggerStatsQuery } from './overview-queries.ts';

const TimeChart = lazy(() => import('../../charts/TimeChart.tsx'));

const defaults = { range: '', figures: 'charts' };
const SHOWN_AS = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
] as const;

/** The events of each trigger. The page has loaded them, so that the range is known without further requests. */
const statsOf = ({ triggers, ...times }: Reply<'triggerStats'>) =>
  triggers.map(({ buckets }) => ({ ...times, buckets }));

/** All runs; undefined if there are more than those of the first page. */
function runsOf(first: Reply<'runListAll'> | undefined) {
  const oldest = first?.next_token === null ? first.runs.at(-1) : undefined;
  return oldest && { since: oldest.created_at, bucket_seconds: 1, buckets: [1] };
}

/** The calls to each app. */
const callsOf = ({ apps, ...times }: CallStats) => apps.map(({ buckets }) => ({ ...times, buckets }));

/** When gateway calls begin: as loaded with the page, or from the chart of the last day if they are newer. */
function useCalls(): readonly Counted[] {
  const first = useQuery({ ...firstCallQuery, enabled: false }).data?.first_call_at;
  const day = useQuery({ ...callFiguresQuery('24h'), enabled: false }).data;
  return first ? [{ since: first, bucket_seconds: 1, buckets: [1] }] : day ? callsOf(day) : [];
}

/** Charts of events, deliveries, runs and gateway calls. Brushing a chart opens its list for that period. */
export default function OverviewFigures() {
  const [url, setUrl] = useUrlState(defaults);
  const navigate = useNavigate();
  const shownAs = url.figures === 'table' ? 'table' : 'charts';
  const asked = { placeholderData: keepPreviousData };
  const chosen = CALL_RANGES.find((each) => each === url.range);
  const loaded = usePrefetchedQuery(triggerStatsQuery).data;
  const latestRuns = useInfiniteQuery(latestRunsQuery).data;
  const loadedCalls = useCalls();
  const range = chosen ?? fittingRange([...statsOf(loaded), runsOf(latestRuns?.pages[0]), ...loadedCalls], Date.now());
  const events = useQuery({ ...eventFiguresQuery(range), ...asked });
  const runs = useQuery({ ...runFiguresQuery(range), ...asked });
  const calls = useQuery({ ...callFiguresQuery(range), ...asked });
  const openEvents = ({ from, to }: Span) => void navigate(path.events({ after: isoTime(from), before: isoTime(to) }));
  const openRuns = ({ from, to }: Span) => void navigate(path.runs({ since: isoTime(from), until: isoTime(to) }));
  const failed = [events, runs, calls].find(({ error }) => error !== null);
  const words = RANGE_WORDS[range];
  const open = {
    onEvents: openEvents,
    onRuns: openRuns,
    failedEvents: path.events({ status: 'FAILED', time: range }),
    failedRuns: path.runs({ status: 'FAILED', since: range }),
  };
  return (
    <section aria-label="Over time" className="border-t border-line">
      <div className="flex flex-wrap items-center gap-2 px-4 pt-4 pb-2 max-sm:px-3">
        <h2 className="flex-1 text-14 whitespace-nowrap">Over time</h2>
        <FigureControls
          range={range}
          onRange={(next) => setUrl({ range: next })}
          ways={SHOWN_AS}
          as={shownAs}
          onAs={(figures) => setUrl({ figures })}
        />
      </div>
      {failed ? (
        <ErrorState
          title="The statistics could not be loaded"
          detail={failed.error?.message}
          onRetry={() => void failed.refetch()}
        />
      ) : calls.data && hasCallsOnly(events.data, runs.data, calls.data) ? (
        <div className="charts px-4 pb-4 max-sm:px-3">
          <div className={shownAs === 'table' ? undefined : 'charts-pair'}>
            {shownAs === 'table' ? null : (
              <Suspense fallback={<ChartRoom />}>
                <CallChart stats={calls.data} range={words} onOpen={() => void navigate(path.connections())} />
              </Suspense>
            )}
            <AppCallList apps={calls.data.apps} range={words} />
          </div>
        </div>
      ) : events.data && runs.data ? (
        <div className="charts px-4 pb-4 max-sm:px-3">
          {shownAs === 'table' ? (
            <>
              <OverviewFigureTable events={events.data} runs={runs.data} range={words} {...open} />
              <AppCallList apps={calls.data?.apps} range={words} />
            </>
          ) : (
            <Charts events={events.data} runs={runs.data} range={words} {...open}>
              <AppCallList apps={calls.data?.apps} range={words} />
            </Charts>
          )}
        </div>
      ) : (
        <div className="charts px-4 pb-4 max-sm:px-3">
          <div className="charts-pair">
            <Room />
          </div>
        </div>
      )}
    </section>
  );
}

/** No event and no run in the range: their empty charts are left out. */
const hasCallsOnly = (events: EventStats | undefined, runs: RunStats | undefined, calls: CallStats): boolean =>
  events !== undefined &&
  runs?.runs === 0 &&
  events.buckets.every((bucket) => bucket.events === 0 && bucket.attempts === 0) &&
  calls.apps.length > 0;

interface ChartsProps extends FiguresProps {
  /** Links to the failed items of the range. */
  readonly failedEvents: string;
  readonly failedRuns: string;
  readonly children: ReactNode;
}

function Charts({ events, runs, range, onEvents, onRuns, failedEvents, failedRuns, children }: ChartsProps) {
  const totals = OUTCOMES.map(({ key }) => totalOf(events, key));
  const outcomes = OUTCOMES.map(({ name }, index) => `${formatCount(totals[index] ?? 0)} ${name.toLowerCase()}`);
  const last = lastBusy(events);
  const latest = PERCENTILES.map(({ key }) => last?.[key] ?? null);
  const counted = plural(totalOf(events, 'events'), 'event');
  const more = 'The table has the same numbers.';
  return (
    <div className="charts-pair">
      <Suspense fallback={<Room />}>
        <TimeChart
          kind="bars"
          title="Events and deliveries"
          buckets={bucketsOf(events)}
          series={outcomeSeries(events)}
          onBrush={onEvents}
          lists={{ Failed: failedEvents }}
          format={formatCount}
          tick={formatCount}
          rest={{ figures: totals, of: counted }}
          summary={`${counted} and deliveries by outcome, ${range}: ${outcomes.join(', ')}. ${more}`}
        />
        <TimeChart
          kind="lines"
          title="Delivery latency"
          buckets={bucketsOf(events)}
          series={latencySeries(events)}
          onBrush={onEvents}
          format={formatDuration}
          tick={durationTick}
          rest={{ figures: latest, of: last ? 'latest' : range }}
          summary={`How long attempts took, as percentiles, ${range}. ${more}`}
        />
        <TimeChart
          kind="bars"
          title="Runs"
          buckets={bucketsOf(runs)}
          series={runSeries(runs)}
          onBrush={onRuns}
          lists={{ Failed: failedRuns }}
          format={formatCount}
          tick={formatCount}
          rest={{ figures: [runs.runs - runs.failed, runs.failed], of: range }}
          summary={`${plural(runs.runs, 'run')} of functions, ${formatCount(runs.failed)} failed, ${range}. ${more}`}
        />
        {children}
      </Suspense>
    </div>
  );
}

/** Reserves the height of the charts. */
function Room() {
  return (
    <>
      {['events', 'latency', 'runs', 'calls'].map((each) => (
        <ChartRoom key={each} />
      ))}
    </>
  );
}

const ChartRoom = () => (
  <div className="chart-room">
    <Skeleton />
  </div>
);
