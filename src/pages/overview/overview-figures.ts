/** The data series of the Overview's charts. */
import type { CallRange } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import type { ChartSeries } from '../../charts/chart-options.ts';
import { type Buckets, type Span, spanOf } from '../../charts/chart-times.ts';
import { OUTCOME_INKS } from '../../charts/outcome-inks.ts';
import { bucketsOf, type EventBucket, type EventStats } from '../../components/events/event-stats.ts';

export type RunStats = Reply<'runStats'>;
export type CallStats = Reply<'connectionStats'>;
export type AppCalls = Reply<'connectionStats'>['apps'][number];

export const eventFiguresQuery = (range: CallRange) => q('eventStats', { query: { range } });
export const runFiguresQuery = (range: CallRange) => q('runStats', { query: { range } });
export const callFiguresQuery = (range: CallRange) => q('connectionStats', { query: { range } });

/** Runs by outcome. */
export const runSeries = ({ buckets }: RunStats): readonly ChartSeries[] => [
  { name: 'Succeeded', ink: OUTCOME_INKS.succeeded, values: buckets.map(({ runs, failed }) => runs - failed) },
  { name: 'Failed', ink: OUTCOME_INKS.failed, values: buckets.map(({ failed }) => failed) },
];

/** Apps beyond this number are one series. */
const APPS_SHOWN = 3;
const SHARES = [0.9, 0.6, 0.35, 0.2] as const;

/** Calls by app, busiest first; the remaining apps are summed up. */
export function callSeries(
  { apps }: Pick<Reply<'connectionStats'>, 'apps'>,
  nameOf: (app: string) => string,
): readonly ChartSeries[] {
  const rest = apps.slice(APPS_SHOWN);
  const sums = rest[0]?.buckets.map((_, index) => rest.reduce((sum, { buckets }) => sum + (buckets[index] ?? 0), 0));
  const all = [
    ...apps.slice(0, APPS_SHOWN).map(({ app, buckets }) => ({ name: nameOf(app), values: buckets })),
    ...(sums ? [{ name: `${rest.length} more`, values: sums }] : []),
  ];
  return all.map((each, index) => ({ ...each, ink: { token: 'fg-2', share: SHARES[index] } }));
}

export interface FigureRow {
  readonly span: Span;
  readonly events: EventBucket | undefined;
  readonly runs: RunStats['buckets'][number] | undefined;
}

/** The periods with activity, newest first. Both responses are requested together but may start one period apart. */
export function figureRows(events: EventStats, runs: RunStats): readonly FigureRow[] {
  const rows = new Map<number, FigureRow>();
  const add = (buckets: Buckets, index: number, found: Partial<FigureRow>) => {
    const span = spanOf(buckets, index);
    const known = rows.get(span.from) ?? { span, events: undefined, runs: undefined };
    rows.set(span.from, { ...known, ...found });
  };
  for (const [index, bucket] of events.buckets.entries())
    if (bucket.events > 0 || bucket.attempts > 0) add(bucketsOf(events), index, { events: bucket });
  for (const [index, bucket] of runs.buckets.entries())
    if (bucket.runs > 0) add(bucketsOf(runs), index, { runs: bucket });
  return [...rows.values()].sort((a, b) => b.span.from - a.span.from);
}
