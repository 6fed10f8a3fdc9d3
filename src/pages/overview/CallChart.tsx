import { lazy } from 'react';
import type { Reply } from '../../api/operation.ts';
import { type AppNames, useAppNames } from '../../components/apps/app-names.ts';
import { bucketsOf } from '../../components/events/event-stats.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { callSeries } from './overview-figures.ts';

const TimeChart = lazy(() => import('../../charts/TimeChart.tsx'));

interface CallChartProps {
  readonly stats: Reply<'connectionStats'>;
  readonly range: string;
  readonly onOpen: () => void;
}

/** Gateway calls over time, stacked by app. Shown to accounts that only use the gateway. */
export function CallChart({ stats, range, onOpen }: CallChartProps) {
  const names: AppNames = useAppNames();
  const series = callSeries(stats, names);
  const totals = series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  const total = totals.reduce((sum, value) => sum + value, 0);
  const words = series.map(({ name }, index) => `${name} ${formatCount(totals[index] ?? 0)}`).join(', ');
  return (
    <TimeChart
      kind="bars"
      title="Gateway calls by app"
      buckets={bucketsOf({ ...stats, buckets: stats.apps[0]?.buckets ?? [] })}
      series={series}
      onBrush={onOpen}
      format={formatCount}
      tick={formatCount}
      rest={{ figures: totals, of: plural(total, 'call') }}
      summary={`${plural(total, 'gateway call')} by app, ${range}: ${words}. The table has the same numbers.`}
    />
  );
}
