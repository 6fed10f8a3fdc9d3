import type { Replay } from '../../api/entities.ts';
import { formatCount, formatSpan, plural } from '../../lib/format.ts';

/**
 * The progress of a replay: a bar of succeeded, failed and skipped deliveries, the same in words, and the time left.
 */
export function Progress({ replay }: { replay: Replay }) {
  const { total, done, succeeded, failed, skipped, gathering, current_rate_per_second, seconds_left } = replay;
  const share = (count: number) => `${total === 0 ? 0 : (count / total) * 100}%`;
  if (gathering)
    return (
      <p role="status" className="text-13">
        Collecting matching deliveries: {formatCount(total)} so far. Sending starts once all are collected.
      </p>
    );
  return (
    <div>
      <p role="status" className="mb-1.5 text-13">
        {formatCount(done)} of {plural(total, 'delivery', 'deliveries')} done:{' '}
        <span className="text-ok-fg">{formatCount(succeeded)} succeeded</span>,{' '}
        <span className={failed > 0 ? 'text-bad-fg' : 'text-fg-2'}>{formatCount(failed)} failed</span>
        {skipped > 0 ? <span className="text-fg-2">, {formatCount(skipped)} skipped</span> : null}
        {current_rate_per_second === null ? null : (
          <span className="text-fg-2">
            .{' '}
            {current_rate_per_second < 10 ? current_rate_per_second : formatCount(Math.round(current_rate_per_second))}{' '}
            a second now{seconds_left === null ? '' : `, about ${formatSpan(seconds_left * 1000)} left`}
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Deliveries done"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="flex h-1.5 overflow-hidden rounded-full bg-press"
      >
        <span className="bg-ok-solid" style={{ width: share(succeeded) }} />
        <span className="bg-bad-solid" style={{ width: share(failed) }} />
        <span className="bg-fg-3" style={{ width: share(skipped) }} />
      </div>
    </div>
  );
}
