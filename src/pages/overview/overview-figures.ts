/** What the charts of the Overview are of. */
import type { CallRange } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import type { ChartSeries } from '../../charts/chart-options.ts';
import { type Buckets, type Span, spanOf } from '../../charts/chart-times.ts';
import { bucketsOf, type EventBucket, type EventStats } from '../../components/event-stats.ts';

export type RunStats = Reply<'runStats'>;
export type AppCalls = Reply<'connectionStats'>['apps'][number];

export const eventFiguresQuery = (range: CallRange) => q('eventStats', { query: { range } });
export const runFiguresQuery = (range: CallRange) => q('runStats', { query: { range } });
export const callFiguresQuery = (range: CallRange) => q('connectionStats', { query: { range } });

/** Runs by whether they went well: those are pale. */
export const runSeries = ({ buckets }: RunStats): readonly ChartSeries[] => [
  { name: 'Well', ink: { token: 'fg-3', share: 0.35 }, values: buckets.map(({ runs, failed }) => runs - failed) },
  { name: 'Errors', ink: { token: 'bad-solid' }, values: buckets.map(({ failed }) => failed) },
];

export interface FigureRow {
  readonly span: Span;
  readonly events: EventBucket | undefined;
  readonly runs: RunStats['buckets'][number] | undefined;
}

/** The stretches of time in which there was something, newest first. Both are asked for at once but may begin one apart. */
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
