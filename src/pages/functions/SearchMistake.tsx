import { CircleAlert, Info } from 'lucide-react';
import { cx } from '../../ui/cx.ts';

interface SearchMistakeProps {
  q: string;
  said: string;
  /** The place in the query, counted from 0. */
  at?: number | undefined;
  /** It can't be searched for; else it is only read in another way than may be meant. */
  refused: boolean;
}

/** Around the place so much of a long query is shown. */
const AROUND = 60;

/** What is wrong with the query, shown at its place while it is typed. */
export function SearchMistake({ q, said, at, refused }: SearchMistakeProps) {
  const Mark = refused ? CircleAlert : Info;
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
          {at === undefined || !refused ? null : `, at character ${at + 1}`}
        </span>
      </p>
      {at === undefined ? null : (
        <code aria-hidden className="mt-1 block pl-5 wrap-anywhere whitespace-pre-wrap text-fg-2">
          {at > AROUND ? '…' : ''}
          {q.slice(Math.max(0, at - AROUND), at)}
          <span
            className={cx(
              'rounded-[2px] underline decoration-wavy underline-offset-4',
              refused ? 'bg-bad-bg text-bad-fg' : 'bg-mark-bg text-mark-fg',
            )}
          >
            {q.slice(at, at + 1).replace('\0', '␀') || ' '}
          </span>
          {q.slice(at + 1, at + AROUND)}
          {at + AROUND < q.length ? '…' : ''}
        </code>
      )}
    </div>
  );
}
