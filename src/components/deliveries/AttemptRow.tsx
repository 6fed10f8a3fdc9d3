import type { Attempt } from '../../api/entities.ts';
import { RowChevron } from '../../ui/controls/RowChevron.tsx';
import { cx } from '../../ui/cx.ts';
import { Duration } from '../../ui/Quantity.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { AttemptDetail, type AttemptSide } from './AttemptDetail.tsx';
import { resultOf, succeeded } from './delivery-words.ts';

export interface AttemptRowProps {
  readonly attempt: Attempt;
  readonly open: boolean;
  readonly side: AttemptSide;
  readonly onToggle: () => void;
  readonly onSide: (side: AttemptSide) => void;
}

/** One attempt: time, result, duration; expanded: request and response. */
export function AttemptRow({ attempt, open, side, onToggle, onSide }: AttemptRowProps) {
  const { number, origin, started_at, duration_ms } = attempt;
  return (
    <li className={cx('border-t border-line', open && 'bg-sunken')}>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex min-h-7 w-full items-center gap-2 px-4 text-left text-12 max-sm:flex-wrap max-sm:gap-x-1.5 hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-9"
      >
        <RowChevron open={open} />
        <span className="data min-w-7 font-medium">
          <span className="sr-only">Attempt </span>#{number}
        </span>
        <Time at={started_at} as="clock" precise className="text-fg-2" />
        {origin === 'REPLAY' ? <Tag>{attempt.replay_id === null ? 'Replay' : 'Bulk replay'}</Tag> : null}
        <span className={cx('data ml-auto', succeeded(attempt) ? 'text-ok-fg' : 'text-bad-fg')}>
          {resultOf(attempt)}
        </span>
        <span className="min-w-16 text-right max-sm:min-w-0 text-fg-3">
          <Duration ms={duration_ms} />
        </span>
      </button>
      {open ? <AttemptDetail attempt={attempt} side={side} onSide={onSide} /> : null}
    </li>
  );
}
