interface SparklineProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** The accessible name; the numbers are shown beside it. */
  readonly label: string;
}

const HEIGHT = 16;
const STEP = 2;

/** A time series as bars in one line of text. Zero is a thin base line. */
export function Sparkline({ values, label }: SparklineProps) {
  const top = Math.max(...values, 1);
  const width = values.length * STEP;
  const bars = values
    .map((value, index) => (value === 0 ? '' : bar(index, Math.max(2, Math.round((value / top) * HEIGHT)))))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="flex-none"
    >
      <path d={`M0 ${HEIGHT - 0.5}H${width}`} className="stroke-line-2" strokeWidth={1} />
      <path d={bars} className="fill-accent" />
    </svg>
  );
}

const bar = (index: number, height: number) => `M${index * STEP} ${HEIGHT}v-${height}h1.5v${height}z`;
