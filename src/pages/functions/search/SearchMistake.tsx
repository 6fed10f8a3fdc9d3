import { CircleAlert, Info } from 'lucide-react';
import { cx } from '../../../ui/cx.ts';
import type { Hint } from './query-hints.ts';

interface SearchMistakeProps {
  q: string;
  /**
   * `at` is a position in the query. Without `refused`, the query is valid but may be read differently than intended.
   */
  hint: Hint | undefined;
}

/** ID of the element that describes the search field. */
export const SAID_ID = 'said-of-the-search';

/** Characters of a long query shown around the position. */
const AROUND = 60;

/** The problem of the query, at its position, updated while typing. */
export function SearchMistake({ q, hint }: SearchMistakeProps) {
  // always rendered, or screen readers would not announce its content
  return (
    <div role="status" id={SAID_ID} className="flex-none">
      {hint ? <Said q={q} {...hint} /> : null}
    </div>
  );
}

function Said({ q, said, at, refused }: Hint & { q: string }) {
  const Mark = refused ? CircleAlert : Info;
  // counts code points: an emoji counts once
  const chars = [...q];
  const place = at === undefined ? 0 : [...q.slice(0, at)].length;
  return (
    <div className="px-4 pb-2 max-sm:px-3">
      <p className={cx('flex items-start gap-1.5 text-12', refused ? 'text-bad-fg' : 'text-fg-2')} data-mistake={q}>
        <Mark size={14} strokeWidth={2} className="mt-px flex-none" aria-hidden />
        <span className="wrap-anywhere">
          {said.charAt(0).toUpperCase() + said.slice(1)}
          {at === undefined || !refused ? null : `, at character ${place + 1}`}
        </span>
      </p>
      {at === undefined ? null : (
        <code aria-hidden className="mt-1 block pl-5 wrap-anywhere whitespace-pre-wrap text-fg-2">
          {place > AROUND ? '…' : ''}
          {chars.slice(Math.max(0, place - AROUND), place).join('')}
          <span
            className={cx(
              'rounded-[2px] underline decoration-wavy underline-offset-4',
              refused ? 'bg-bad-bg text-bad-fg' : 'bg-mark-bg text-mark-fg',
            )}
          >
            {chars[place]?.replace('\0', '␀') ?? ' '}
          </span>
          {chars.slice(place + 1, place + AROUND).join('')}
          {place + AROUND < chars.length ? '…' : ''}
        </code>
      )}
    </div>
  );
}
