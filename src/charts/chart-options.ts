/** The uPlot options of the charts: axis right, few gridlines, no legend, a brush along the time axis. */
import uPlot from 'uplot';
import type { TimeZone } from '../lib/format.ts';
import { type Buckets, endOf, middles, ticksOf, tickText } from './chart-times.ts';
import { type Ink, inkValue, tokenValue } from './inks.ts';

export interface ChartSeries {
  readonly name: string;
  readonly ink: Ink;
  /** One value per bucket; null if there is no data. */
  readonly values: readonly (number | null)[];
}
export interface ChartData {
  readonly kind: 'bars' | 'lines';
  readonly buckets: Buckets;
  /** Bars are stacked in this order, the first at the bottom. */
  readonly series: readonly ChartSeries[];
}

const AXIS_WIDTH = 52;
const TICK_SPACE = 96;
/** A small count, such as a single failure, stays visible. */
const LEAST_BAR_PX = 2;

const valueAt = ({ values }: ChartSeries, index: number): number => values[index] ?? 0;

/** The data for uPlot: lines as they are, bars as their sums, which the scale and the cursor need. */
export function plotted({ kind, buckets, series }: ChartData): uPlot.AlignedData {
  const x = middles(buckets);
  if (kind === 'lines') return [x, ...series.map(({ values }) => [...values])];
  return [x, x.map((_, index) => series.reduce((sum, each) => sum + valueAt(each, index), 0))];
}

export interface OptionsInput {
  /** Called on every draw, so new data does not require a new chart. */
  readonly data: () => ChartData;
  readonly zone: TimeZone;
  readonly tick: (value: number) => string;
  readonly size: { readonly width: number; readonly height: number };
  /** Charts with the same key share the cursor. */
  readonly together: string;
  readonly onPoint: (index: number | undefined) => void;
  readonly onBrush: (from: number, to: number) => void;
}

export function optionsOf({ data, zone, tick, size, together, onPoint, onBrush }: OptionsInput): uPlot.Options {
  const { kind, series } = data();
  const font = `11px ${tokenValue('font-sans')}`;
  const ink = () => tokenValue('fg-3');
  const grid = { stroke: () => tokenValue('chart-grid'), width: 1 };
  return {
    ...size,
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, setScale: false, dist: 4 },
      // synchronize the cursor only; a brush belongs to one chart
      sync: { key: together, scales: ['x', null], filters: { pub: pointed } },
    },
    scales: {
      x: { time: false, range: () => [data().buckets.since, endOf(data().buckets)] },
      y: { range: (_, _min, most) => [0, most > 0 ? most * 1.02 : 1] },
    },
    axes: [
      {
        size: 22,
        gap: 6,
        font,
        stroke: ink,
        grid: { show: false },
        ticks: { show: false },
        splits: (u) => ticksOf(data().buckets, Math.max(2, Math.floor(u.width / TICK_SPACE)), zone),
        values: (_, splits) => splits.map((at) => tickText(at, zone)),
      },
      {
        side: 1,
        size: AXIS_WIDTH,
        gap: 8,
        font,
        stroke: ink,
        grid,
        ticks: { show: false },
        space: 30,
        ...(kind === 'bars' ? { incrs: WHOLE } : {}),
        values: (_, splits) => splits.map(tick),
      },
    ],
    series:
      kind === 'bars'
        ? [{}, { paths: () => null, points: { show: false } }]
        : [{}, ...series.map((each) => line(each.ink))],
    hooks: {
      ...(kind === 'bars' ? { draw: [(u) => drawStack(u, data())] } : {}),
      setCursor: [(u) => onPoint(u.cursor.idx ?? undefined)],
      setSelect: [
        ({ select, posToVal }) => {
          if (select.width > 0) onBrush(posToVal(select.left, 'x'), posToVal(select.left + select.width, 'x'));
        },
      ],
    },
  };
}

const pointed = (type: string) => type === 'mousemove' || type === 'mouseleave';

/** Integer steps between the gridlines of counts. */
const WHOLE = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();

function line(ink: Ink): uPlot.Series {
  const stroke = () => inkValue(ink);
  // a bucket between two empty ones draws no line, so it gets a dot
  const alone: uPlot.Series.Points.Filter = (u, index) => {
    const values = u.data[index] ?? [];
    return [...values.keys()].filter((at) => values[at] != null && values[at - 1] == null && values[at + 1] == null);
  };
  return { stroke, width: 1.5, points: { show: true, size: 4, width: 0, fill: stroke, filter: alone } };
}

function drawStack(u: uPlot, { buckets, series }: ChartData) {
  const { ctx } = u;
  const least = LEAST_BAR_PX * uPlot.pxRatio;
  const place = (value: number, scale: string) => u.valToPos(value, scale, true);
  const wide = place(buckets.since + buckets.seconds, 'x') - place(buckets.since, 'x');
  const gap = Math.min(wide * 0.2, 2 * uPlot.pxRatio);
  const inks = series.map(({ ink }) => inkValue(ink));
  ctx.save();
  for (let index = 0; index < buckets.count; index++) {
    const left = Math.round(place(buckets.since + index * buckets.seconds, 'x'));
    const right = Math.round(place(buckets.since + (index + 1) * buckets.seconds, 'x') - gap);
    let sum = 0;
    let bottom = place(0, 'y');
    for (const [at, each] of series.entries()) {
      const value = valueAt(each, index);
      if (value <= 0) continue;
      sum += value;
      const top = Math.min(place(sum, 'y'), bottom - least);
      ctx.fillStyle = inks[at] ?? '';
      ctx.fillRect(left, top, Math.max(right - left, 1), bottom - top);
      bottom = top;
    }
  }
  ctx.restore();
}
