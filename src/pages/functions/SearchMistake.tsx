import { CircleAlert, Info } from 'lucide-react';
import { cx } from '../../ui/cx.ts';

interface SearchMistakeProps {
  q: string;
  said: string;
  /** The place in the query, as of a string. */
  at?: number | undefined;
  /** It can't be searched for; else it is only read in another way than may be meant. */
  refused: boolean;
}

/** Around the place so much of a long query is shown. */
const AROUND = 60;

/** What is wrong with the query, shown at its place while it is typed. */
export function SearchMistake({ q, said, at, refused }: SearchMistakeProps) {
  const Mark = refused ? CircleAlert : Info;
  // as a person counts, and reads: the two halves of an emoji stay together
  const chars = [...q];
  const place = at === undefined ? 0 : [...q.slice(0, at)].length;
  return (
    <div className="flex-none px-4 pb-2 max-sm:px-3">
      <p
        role="status"
        className={cx('flex items-start gap-1.5 text-12', refused ? 'text-bad-fg' : 'text-fg-2')}
        data-mistake={q}
      >
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
