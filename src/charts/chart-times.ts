/** Times on a chart: consecutive buckets of equal length. Instants are seconds since the epoch, as uPlot has them. */
import { formatAbsolute, formatClock, type TimeZone } from '../lib/format.ts';

export interface Buckets {
  /** Where the first begins. */
  readonly since: number;
  readonly seconds: number;
  readonly count: number;
}
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An instant of a chart as the API takes it. */
export const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

export const endOf = ({ since, seconds, count }: Buckets): number => since + seconds * count;

/** Where each is drawn: in its middle. */
export function middles({ since, seconds, count }: Buckets): number[] {
  return Array.from({ length: count }, (_, index) => since + seconds * (index + 0.5));
}

export function spanOf({ since, seconds }: Buckets, index: number): Span {
  return { from: since + seconds * index, to: since + seconds * (index + 1) };
}

/** A stretch of the chart as whole buckets, one at least, none beyond the ends. */
export function snapped(buckets: Buckets, from: number, to: number): Span {
  const { since, seconds, count } = buckets;
  const within = (index: number) => Math.min(Math.max(index, 0), count - 1);
  const first = within(Math.floor((from - since) / seconds));
  const last = within(Math.ceil((to - since) / seconds) - 1);
  return { from: spanOf(buckets, first).from, to: spanOf(buckets, Math.max(first, last)).to };
}

/** What of a stretch lies on the chart. */
export function chartPart(buckets: Buckets, span: Span | undefined): Span | undefined {
  return span && span.to > buckets.since && span.from < endOf(buckets) ? span : undefined;
}

/** `14:00`, and the day where one begins. */
export function tickText(at: number, zone: TimeZone): string {
  const date = new Date(at * 1_000);
  const clock = formatClock(date, zone).slice(0, 5);
  return clock === '00:00' ? formatAbsolute(date, zone).slice(5, 10) : clock;
}

/** `11-21 14:00 to 14:05`; the day is written once where it is the same. */
export function spanText({ from, to }: Span, zone: TimeZone): string {
  const written = (at: number) => formatAbsolute(new Date(at * 1_000), zone).slice(5, 16);
  const [start, end] = [written(from), written(to)];
  return `${start} to ${start.slice(0, 5) === end.slice(0, 5) ? end.slice(6) : end}`;
}

/** The times of the ticks: `steps` are seconds, the smallest with at most `most` ticks, on round local or UTC times. */
export function ticksOf(buckets: Buckets, most: number, zone: TimeZone): number[] {
  const end = endOf(buckets);
  const step = STEPS.find((each) => (end - buckets.since) / each <= most) ?? 86_400;
  const shift = zone === 'utc' ? 0 : -new Date(buckets.since * 1_000).getTimezoneOffset() * 60;
  const first = Math.ceil((buckets.since + shift) / step) * step - shift;
  return Array.from({ length: Math.max(0, Math.floor((end - first) / step) + 1) }, (_, index) => first + index * step);
}
const MINUTE = 60;
const HOUR = 3_600;
const STEPS = [5, 10, 15, 30].map((n) => n * MINUTE).concat([1, 2, 3, 6, 12, 24, 48].map((n) => n * HOUR));
