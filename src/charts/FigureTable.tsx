import { Fragment, type ReactNode } from 'react';
import { Link } from '../components/Link.tsx';
import { usePreference } from '../hooks/use-preference.ts';
import { formatCount, formatDuration } from '../lib/format.ts';
import { timeZone } from '../stores/time-zone.ts';
import { scrollRegion } from '../ui/scroll-region.ts';
import { type Buckets, type Span, spanOf, spanText } from './chart-times.ts';

/** A bucket that is not empty. */
export interface BucketRow<Bucket> {
  readonly span: Span;
  readonly bucket: Bucket;
}

/** The buckets that are not empty, newest first. */
export const rowsOf = <Bucket,>(
  all: readonly Bucket[],
  buckets: Buckets,
  isBusy: (bucket: Bucket) => boolean,
): readonly BucketRow<Bucket>[] =>
  all
    .map((bucket, index) => ({ bucket, span: spanOf(buckets, index) }))
    .filter(({ bucket }) => isBusy(bucket))
    .reverse();

export interface FigureColumn<Row> {
  readonly name: string;
  /** A `td`. `when` is the formatted time of the row. */
  readonly cell: (row: Row, when: string) => ReactNode;
}

export interface FigureTableProps<Row> {
  readonly label: string;
  /** The accessible name of the scroll region. */
  readonly region: string;
  readonly className: string;
  readonly rows: readonly Row[];
  readonly columns: readonly FigureColumn<Row>[];
  readonly actions?: ((row: Row, when: string) => ReactNode) | undefined;
}

/** The data of a chart as a table with one row per bucket. */
export function FigureTable<Row extends { readonly span: Span }>(props: FigureTableProps<Row>) {
  const { label, region, className, rows, columns, actions } = props;
  const [zone] = usePreference(timeZone);
  return (
    <div {...scrollRegion(region)} className={className}>
      <table aria-label={label} className="chart-figures">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {actions ? (
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const when = spanText(row.span, zone);
            return (
              <tr key={row.span.from}>
                <th scope="row" className="data">
                  {when}
                </th>
                {columns.map(({ name, cell }) => (
                  <Fragment key={name}>{cell(row, when)}</Fragment>
                ))}
                {actions ? <td>{actions(row, when)}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CountCellProps {
  readonly of: number | undefined;
  /** The URL of the list of what is counted, and its name for screen readers. */
  readonly list?: string | undefined;
  readonly label?: string;
}

/** A count, linked to its list. Zero is muted. */
export function CountCell({ of = 0, list, label }: CountCellProps) {
  if (of === 0 || list === undefined) return <td className={of === 0 ? 'none' : undefined}>{formatCount(of)}</td>;
  return (
    <td>
      <Link className="link text-bad-fg underline underline-offset-2" to={list}>
        {formatCount(of)}
        <span className="sr-only"> {label}</span>
      </Link>
    </td>
  );
}

/** A duration, or a dash for null. */
export const DurationCell = ({ ms }: { ms: number | null }) => (
  <td className="data">{ms === null ? '–' : formatDuration(ms)}</td>
);
