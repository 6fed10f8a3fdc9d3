import { File } from 'lucide-react';
import { formatCount } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import type { FileChange } from '../code/draft.ts';
import type { LineChanges } from './line-changes.ts';

export type FileDiff = LineChanges & {
  readonly path: string;
  readonly change: FileChange;
  readonly before: string;
  readonly after: string;
};

/** +15 −4, with a text for screen readers. */
export function PlusMinus({ added, removed }: LineChanges) {
  return (
    <span className="data inline-flex flex-none gap-1.5">
      <span className="text-ok-fg">
        <span aria-hidden>+{formatCount(added)}</span>
        <span className="sr-only">{added} lines added,</span>
      </span>
      <span className="text-bad-fg">
        <span aria-hidden>−{formatCount(removed)}</span>
        <span className="sr-only">{removed} removed</span>
      </span>
    </span>
  );
}

interface ChangedFilesProps {
  diffs: readonly FileDiff[];
  /** The files of the compared version. */
  total: number;
  current: string | undefined;
  onOpen: (path: string) => void;
  /** Its maximum height and border. */
  className?: string;
}

/** The files that differ between two versions. */
export function ChangedFiles({ diffs, total, current, onOpen, className }: ChangedFilesProps) {
  const all = diffs.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  return (
    <nav
      aria-label="Changed files"
      className={cx(
        'relative flex-none overflow-y-auto pb-2',
        className ?? 'max-h-[45%] border-t border-line-2 max-md:max-h-48',
      )}
    >
      <div className="flex h-10 items-center gap-2 px-3">
        <h2 className="text-13 tracking-normal">Changed files</h2>
        <span className="text-12 text-fg-3">
          {formatCount(diffs.length)} of {formatCount(total)}
        </span>
        <span className="ml-auto">
          <PlusMinus {...all} />
        </span>
      </div>
      <ul>
        {diffs.map(({ path, change, added, removed }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={path === current ? 'true' : undefined}
              title={path}
              onClick={() => onOpen(path)}
              className={cx(
                'flex h-7 w-full items-center gap-2 px-3 text-left focus-visible:-outline-offset-2 pointer-coarse:h-9',
                path === current ? 'bg-press' : 'hover:bg-hover',
              )}
            >
              <File size={13} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
              <span className="sr-only">
                {path}
                {change === 'changed' ? null : `, ${change}`}
              </span>
              {/* where there is little room it is the folder that gives way */}
              <span aria-hidden className={cx('data flex min-w-0 flex-1', change === 'removed' && 'line-through')}>
                <span className="min-w-0 truncate text-fg-3">{path.slice(0, path.lastIndexOf('/') + 1)}</span>
                <span className="max-w-full flex-none truncate">{path.slice(path.lastIndexOf('/') + 1)}</span>
              </span>
              <PlusMinus added={added} removed={removed} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
