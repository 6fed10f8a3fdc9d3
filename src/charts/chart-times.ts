/** Times on a chart: consecutive buckets of equal length. Instants are seconds since the epoch, as in uPlot. */
import { formatAbsolute, formatClock, type TimeZone } from '../lib/format.ts';

export interface Buckets {
  /** The start of the first bucket. */
  readonly since: number;
  readonly seconds: number;
  readonly count: number;
}
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An instant in the API's format. */
export const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

export const endOf = ({ since, seconds, count }: Buckets): number => since + seconds * count;

/** The x values: the middle of each bucket. */
export function middles({ since, seconds, count }: Buckets): number[] {
  return Array.from({ length: count }, (_, index) => since + seconds * (index + 0.5));
}

export function spanOf({ since, seconds }: Buckets, index: number): Span {
  return { from: since + seconds * index, to: since + seconds * (index + 1) };
}

/** A span extended to whole buckets, at least one, within the chart. */
export function snapped(buckets: Buckets, from: number, to: number): Span {
  const { since, seconds, count } = buckets;
  const within = (index: number) => Math.min(Math.max(index, 0), count - 1);
  const first = within(Math.floor((from - since) / seconds));
  const last = within(Math.ceil((to - since) / seconds) - 1);
  return { from: spanOf(buckets, first).from, to: spanOf(buckets, Math.max(first, last)).to };
}

/** The part of a span that is on the chart. */
export function chartPart(buckets: Buckets, span: Span | undefined): Span | undefined {
  return span && span.to > buckets.since && span.from < endOf(buckets) ? span : undefined;
}

/** `14:00`; the date at midnight. */
export function tickText(at: number, zone: TimeZone): string {
  const date = new Date(at * 1_000);
  const clock = formatClock(date, zone).slice(0, 5);
  return clock === '00:00' ? formatAbsolute(date, zone).slice(5, 10) : clock;
}

/** `11-21 14:00 to 14:05`; the second date is omitted if equal. */
export function spanText({ from, to }: Span, zone: TimeZone): string {
  const written = (at: number) => formatAbsolute(new Date(at * 1_000), zone).slice(5, 16);
  const [start, end] = [written(from), written(to)];
  return `${start} to ${start.slice(0, 5) === end.slice(0, 5) ? end.slice(6) : end}`;
}

/** The times of the ticks: `steps` are seconds, the smallest with at most `most` ticks, on round local or UTC times. */
export function ticksOf(buckets: Buckets, most: number, zone: TimeZone): number[] {
  const end = endOf(buckets);
  const step = STEPS.find((each) => (end - buckets.since) / each <= most) ?? 7 * 86_400;
  const shift = zone === 'utc' ? 0 : -new Date(buckets.since * 1_000).getTimezoneOffset() * 60;
  const first = Math.ceil((buckets.since + shift) / step) * step - shift;
  return Array.from({ length: Math.max(0, Math.floor((end - first) / step) + 1) }, (_, index) => first + index * step);
}
const MINUTE = 60;
const HOUR = 3_600;
const STEPS = [5, 10, 15, 30].map((n) => n * MINUTE).concat([1, 2, 3, 6, 12, 24, 48, 120].map((n) => n * HOUR));
