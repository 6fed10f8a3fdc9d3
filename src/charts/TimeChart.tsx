/**
 * Time series charts, drawn by uPlot on a canvas. Every chart has a table with the same data for screen readers (see
 * src/pages/connections/calls/CallFigures.tsx). Loaded on demand.
 */
import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { Link } from '../components/Link.tsx';
import { useLatest } from '../hooks/use-latest.ts';
import { usePreference } from '../hooks/use-preference.ts';
import type { TimeZone } from '../lib/format.ts';
import { timeZone } from '../stores/time-zone.ts';
import { cx } from '../ui/cx.ts';
import { type ChartData, optionsOf, plotted } from './chart-options.ts';
import { type Buckets, endOf, type Span, snapped, spanOf, spanText } from './chart-times.ts';
import { inkCss, onThemeChange } from './inks.ts';

export interface TimeChartProps extends ChartData {
  readonly title: string;
  /** The accessible name: the totals in words. */
  readonly summary: string;
  /** Formats a value in the legend. */
  readonly format: (value: number) => string;
  /** Formats a round value on the axis, which has little room. */
  readonly tick: (value: number) => string;
  /** The legend while nothing is hovered: a value per series, and what the values cover. */
  readonly rest: { readonly figures: readonly (number | null)[]; readonly of: string };
  /** The selected span. */
  readonly brush?: Span | undefined;
  readonly onBrush: (span: Span) => void;
  /** By series name: the URL of the list of what the series counts. */
  readonly lists?: Readonly<Record<string, string>> | undefined;
  readonly className?: string | undefined;
}

/** One chart: title, legend with the hovered values, drawing. */
export default function TimeChart(props: TimeChartProps) {
  const { title, summary, format, rest, series, buckets, lists, className } = props;
  const [zone] = usePreference(timeZone);
  const [point, setPoint] = useState<number>();
  const drawing = usePlot(props, zone, setPoint);
  const pointed = point === undefined ? undefined : spanOf(buckets, point);
  return (
    <figure className={cx('min-w-0', className)}>
      <figcaption className="mb-1 flex min-h-6 flex-wrap items-center gap-x-3 text-12">
        <h2 className="text-13">{title}</h2>
        <span className="min-w-0 truncate text-fg-3">{pointed ? spanText(pointed, zone) : rest.of}</span>
        <span className="ml-auto flex min-w-0 flex-wrap gap-x-3">
          {series.map(({ name, ink, values }, index) => {
            const figure = point === undefined ? rest.figures[index] : values[point];
            const list = rest.figures[index] ? lists?.[name] : undefined;
            const entry = (
              <>
                <i aria-hidden className="ui-ink size-2 flex-none rounded-[2px]" style={{ background: inkCss(ink) }} />
                <span className="min-w-0 truncate" title={name}>
                  {name}
                </span>{' '}
                <b className="font-medium text-fg">{figure === null || figure === undefined ? '–' : format(figure)}</b>
              </>
            );
            const look = 'inline-flex min-h-6 min-w-0 max-w-full items-center gap-1 whitespace-nowrap';
            return list === undefined ? (
              <span key={name} className={cx(look, 'text-fg-2')}>
                {entry}
              </span>
            ) : (
              <Link key={name} to={list} className={cx(look, 'link underline underline-offset-2')}>
                <span className="sr-only">{title}: </span>
                {entry}
              </Link>
            );
          })}
        </span>
      </figcaption>
      <div ref={drawing} role="img" aria-label={summary} className="chart-drawing" />
    </figure>
  );
}

/** Returns a ref for the element to draw into. */
function usePlot(
  props: TimeChartProps,
  zone: TimeZone,
  setPoint: (index: number | undefined) => void,
): RefCallback<HTMLDivElement> {
  const { kind, buckets, series, brush } = props;
  const plot = useRef<uPlot>(undefined);
  const latest = useLatest(props);
  const draw = useCallback(
    (element: HTMLDivElement) => {
      const size = () => ({ width: element.clientWidth, height: element.clientHeight });
      const brushed = (from: number, to: number) => latest.current.onBrush(snapped(latest.current.buckets, from, to));
      const given = {
        data: () => latest.current,
        zone,
        tick: (value: number) => latest.current.tick(value),
        size: size(),
        together: 'charts',
        onPoint: setPoint,
        onBrush: brushed,
      };
      const u = new uPlot(optionsOf(given), plotted(latest.current), element);
      plot.current = u;
      // a click selects one bucket
      u.over.addEventListener('click', ({ offsetX }) => brushed(u.posToVal(offsetX, 'x'), u.posToVal(offsetX, 'x')));
      const observer = new ResizeObserver(() => {
        u.setSize(size());
        showBrush(u, latest.current.buckets, latest.current.brush);
      });
      observer.observe(element);
      const stop = onThemeChange(() => u.redraw(false));
      return () => {
        stop();
        observer.disconnect();
        u.destroy();
        plot.current = undefined;
      };
    },
    [latest, zone, setPoint],
  );

  // update the existing chart when the data or the selection changes
  useEffect(() => {
    plot.current?.setData(plotted({ kind, buckets, series }));
    if (plot.current) showBrush(plot.current, buckets, brush);
  }, [kind, buckets, series, brush]);
  return draw;
}

function showBrush(u: uPlot, buckets: Buckets, brush: Span | undefined) {
  const inside = (at: number) => u.valToPos(Math.min(Math.max(at, buckets.since), endOf(buckets)), 'x');
  const [left, right] = brush ? [inside(brush.from), inside(brush.to)] : [0, 0];
  u.setSelect({ left, width: Math.max(0, right - left), top: 0, height: u.over.clientHeight }, false);
}
