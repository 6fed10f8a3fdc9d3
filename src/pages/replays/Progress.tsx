import type { Replay } from '../../api/entities.ts';
import { formatCount, plural } from '../../lib/format.ts';

/** The progress of a replay: a bar of succeeded, failed and skipped deliveries, and the same in words. */
export function Progress({ replay: { total, done, succeeded, failed, skipped, gathering } }: { replay: Replay }) {
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
