import { ArrowUp } from 'lucide-react';
import { formatCount } from '../lib/format.ts';
import { cx } from './cx.ts';

export type LiveState = 'live' | 'polling' | 'offline';

const WORDS: Record<LiveState, string> = { live: 'Live', polling: 'Reconnecting', offline: 'Offline' };
const TITLES: Record<LiveState, string> = {
  live: 'Updates appear as they happen',
  polling: 'Live updates are interrupted; refreshing every few seconds',
  offline: 'You are offline',
};
const DOT: Record<LiveState, string> = {
  live: 'bg-ok-solid outline-ok-bg',
  polling: 'bg-warn-solid outline-warn-bg',
  offline: 'bg-mute-solid outline-mute-bg',
};

/** Whether the page receives live updates. */
export function LiveIndicator({ state }: { state: LiveState }) {
  return (
    <span
      role="status"
      title={TITLES[state]}
      className="inline-flex items-center gap-2 text-12 whitespace-nowrap text-fg-2"
    >
      <span aria-hidden className={cx('size-1.5 rounded-full outline-[3px]', DOT[state])} />
      {WORDS[state]}
    </span>
  );
}

export interface LivePillProps {
  /** The number of new rows; hidden for zero. */
  count: number;
  /** The count is a lower bound. */
  more?: boolean | undefined;
  /** "events": for screen readers, after the count. */
  noun: string;
  onShow: () => void;
}

/** A button in the page head that shows new rows which are held back. */
export function LivePill({ count, more = false, noun, onShow }: LivePillProps) {
  return (
    <span role="status" className="contents">
      {count === 0 ? null : (
        <button
          type="button"
          onClick={onShow}
          className="inline-flex h-ctl-sm animate-appear items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft pr-2.5 pl-2 text-12 font-medium whitespace-nowrap text-accent hover:border-accent"
        >
          <ArrowUp size={12} strokeWidth={2} aria-hidden />
          {formatCount(count)}
          {more ? '+' : ''} new<span className="sr-only"> {noun}: show them</span>
        </button>
      )}
    </span>
  );
}
