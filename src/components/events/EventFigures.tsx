import { RANGE_WORDS } from '../../charts/ranges.ts';
import '../../charts/charts.css';
import { RotateCw } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useReason } from '../../api/session.ts';
import { chartPart, isoTime, type Span } from '../../charts/chart-times.ts';
import { FigureControls } from '../../charts/FigureControls.tsx';
import { useFittingStats } from '../../charts/use-fitting-stats.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useBulkState } from '../replays/use-bulk-state.ts';
import { EventFigureTable } from './EventFigureTable.tsx';
import { eventFilterDefaults } from './event-query.ts';
import {
  bucketsOf,
  type EventStats,
  eventStatsQuery,
  OUTCOMES,
  outcomeSeries,
  rangeOf,
  spanIn,
  totalOf,
} from './event-stats.ts';

const TimeChart = lazy(() => import('../../charts/TimeChart.tsx'));

const defaults = { ...eventFilterDefaults, range: '', figures: 'chart' };
const FIGURES = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
  { value: 'none', label: 'Hide' },
] as const;

function useFigures() {
  const [url, setUrl] = useUrlState(defaults);
  const shown = FIGURES.find(({ value }) => value === url.figures)?.value ?? 'chart';
  const isChosen = url.range !== '' || url.time !== '';
  const chosen = isChosen ? rangeOf(url.range, url) : undefined;
  const { range, stats, error } = useFittingStats((each) => eventStatsQuery(each, url), chosen, shown !== 'none');
  return { url, setUrl, range, stats, error, shown };
}

/** The controls at the end of the filter bar: replay of the brushed period, time range, and chart, table or hidden. */
export function EventFigureControls() {
  const { url, setUrl, range, shown } = useFigures();
  const [, setBulk] = useBulkState();
  const reason = useReason('replayCreate');
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
      {shown !== 'none' && url.after !== '' && url.before !== '' && reason === undefined ? (
        <Button size="sm" icon={RotateCw} onClick={() => setBulk('all')}>
          Replay this period…
        </Button>
      ) : null}
      <FigureControls
        range={shown === 'none' ? undefined : range}
        onRange={(next) => setUrl({ range: next })}
        ways={FIGURES}
        as={shown}
        onAs={(figures) => setUrl({ figures })}
      />
    </span>
  );
}

/** Delivery outcomes over time. Brushing the chart filters the list below by time. */
export function EventFigures() {
  const { url, setUrl, range, stats, error, shown } = useFigures();
  const { after, before } = url;
  const span = useMemo(() => spanIn(after, before), [after, before]);
  // the chart keeps its range when a part of it is selected
  const brush = ({ from, to }: Span) =>
    setUrl({ time: '', after: isoTime(from), before: isoTime(to), range }, { push: true });
  if (shown === 'none') return null;
  // the statistics know the trigger and the destination, and not what was searched for
  const words = RANGE_WORDS[range] + (url.q ? ', without the search' : '');
  return (
    <div className="charts flex-none">
      {stats === undefined ? (
        <div aria-busy={error === null} className="chart-room chart-small" />
      ) : shown === 'table' ? (
        <EventFigureTable stats={stats} range={words} onBrush={brush} />
      ) : (
        <Chart stats={stats} range={words} brush={span} onBrush={brush} />
      )}
    </div>
  );
}

interface ChartProps {
  readonly stats: EventStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly brush: Span | undefined;
  readonly onBrush: (span: Span) => void;
}

function Chart({ stats, range, brush, onBrush }: ChartProps) {
  const { buckets, series, totals } = useMemo(
    () => ({
      buckets: bucketsOf(stats),
      series: outcomeSeries(stats),
      totals: OUTCOMES.map(({ key }) => totalOf(stats, key)),
    }),
    [stats],
  );
  const words = OUTCOMES.map(({ name }, index) => `${formatCount(totals[index] ?? 0)} ${name.toLowerCase()}`);
  return (
    <div className="chart-small px-4 pb-2 max-sm:px-3">
      <Suspense fallback={<div aria-busy className="chart-room" />}>
        <TimeChart
          kind="bars"
          title="Deliveries"
          buckets={buckets}
          series={series}
          brush={chartPart(buckets, brush)}
          onBrush={onBrush}
          format={formatCount}
          tick={formatCount}
          rest={{ figures: totals, of: `${plural(totalOf(stats, 'events'), 'event')}, ${range}` }}
          summary={`Deliveries by outcome, ${range}: ${words.join(', ')}. The table has the same numbers.`}
        />
      </Suspense>
    </div>
  );
}
