import { useNow } from '../hooks/use-now.ts';
import { usePreference } from '../hooks/use-preference.ts';
import { formatAbsolute, formatClock, formatRelative } from '../lib/format.ts';
import { timeZone } from '../stores/time-zone.ts';
import { cx } from './cx.ts';

export interface TimeProps {
  /** An instant in the API's format. A dash is shown if it is missing. */
  at: string | null | undefined;
  /** `relative`: `36 min ago`. `clock`: `14:03:22`, with the date unless today. `full`: date, time and zone. */
  as?: 'relative' | 'clock' | 'full' | undefined;
  precise?: boolean | undefined;
  className?: string | undefined;
}

/** A time. Relative times update; the exact time is always the title. */
export function Time({ at, as = 'relative', precise = false, className }: TimeProps) {
  if (at === null || at === undefined) return <span className={className}>–</span>;
  return as === 'relative' ? (
    <Relative at={at} className={className} />
  ) : (
    <Fixed at={at} as={as} precise={precise} className={className} />
  );
}

function Relative({ at, className }: { at: string; className: string | undefined }) {
  const [zone] = usePreference(timeZone);
  const date = new Date(at);
  const fresh = Math.abs(Date.now() - date.getTime()) < 90_000;
  const now = useNow(fresh ? 1_000 : 30_000);
  return (
    <time dateTime={at} title={formatAbsolute(date, zone, true)} className={cx('whitespace-nowrap', className)}>
      {formatRelative(date, now)}
    </time>
  );
}

function Fixed({
  at,
  as,
  precise,
  className,
}: {
  at: string;
  as: 'clock' | 'full';
  precise: boolean;
  className: string | undefined;
}) {
  const [zone] = usePreference(timeZone);
  const date = new Date(at);
  const full = formatAbsolute(date, zone, precise);
  const today = full.slice(0, 10) === formatAbsolute(new Date(), zone).slice(0, 10);
  return (
    <time dateTime={at} title={formatAbsolute(date, zone, true)} className={cx('data whitespace-nowrap', className)}>
      {as === 'full' ? full : today ? formatClock(date, zone, precise) : full.slice(5, precise ? 23 : 16)}
    </time>
  );
}
