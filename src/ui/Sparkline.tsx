interface SparklineProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** What it shows, in words: the numbers are shown beside it. */
  readonly label: string;
}

const HEIGHT = 16;
const STEP = 2;

/** How something went over time, as bars no higher than a line of text. What is zero is a thin ground line. */
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
