import { File, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../ui/overlays/MenuItem.tsx';
import type { FileChange } from './draft.ts';
import { folderOf } from './file-order.ts';

const CHANGE: Record<FileChange, { letter: string; word: string; ink: string }> = {
  added: { letter: 'A', word: 'added', ink: 'text-ok-fg' },
  changed: { letter: 'M', word: 'changed', ink: 'text-warn-fg' },
  removed: { letter: 'D', word: 'removed', ink: 'text-bad-fg' },
};

/** Referentially stable, so that rows are not rendered again. */
export interface RowActions {
  readonly open: (path: string) => void;
  readonly move: (path: string) => void;
  readonly remove: (path: string) => void;
}

interface FileRowProps {
  path: string;
  current: boolean;
  change: FileChange | undefined;
  mistakes: number;
  /** Search hits in the file. */
  hits: number;
  /** The only file of the function. */
  last: boolean;
  writable: boolean;
  on: RowActions;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** One file. Memoized: rendered again only when its own props change. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { path, current, change, mistakes, hits, last, writable, on } = props;
  return (
    <div
      className={cx(
        'group/file flex h-7 items-center gap-1 pr-2 pointer-coarse:h-9',
        folderOf(path) ? 'pl-5' : 'pl-3',
        current ? 'bg-press' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        title={path}
        onClick={() => on.open(path)}
        className="flex h-full min-w-0 flex-1 items-center gap-1.5 rounded-sm text-left focus-visible:-outline-offset-2"
      >
        <File size={13} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
        <span className={cx('data min-w-0 truncate', current && 'font-medium')}>{nameOf(path)}</span>
        {mistakes > 0 ? (
          <span className="flex-none text-11 font-medium text-bad-fg" title={plural(mistakes, 'compile error')}>
            <span aria-hidden>{mistakes}</span>
            <span className="sr-only">, {plural(mistakes, 'compile error')}</span>
          </span>
        ) : null}
        {hits > 0 ? (
          <span
            className="flex-none rounded-sm bg-mark-bg px-1 text-11 text-mark-fg tabular-nums"
            title={plural(hits, 'search hit')}
          >
            <span aria-hidden>{formatCount(hits)}</span>
            <span className="sr-only">, {plural(hits, 'search hit')}</span>
          </span>
        ) : null}
        {change ? <ChangeLetter change={change} /> : null}
      </button>
      {writable ? <FileMenu path={path} last={last} on={on} /> : null}
    </div>
  );
});

/** The change of the file, as a letter and as a word. */
export function ChangeLetter({ change }: { change: FileChange }) {
  const { letter, word, ink } = CHANGE[change];
  return (
    <span className={cx('data ml-auto flex-none font-medium', ink)} title={word}>
      <span aria-hidden>{letter}</span>
      <span className="sr-only">, {word}</span>
    </span>
  );
}

function FileMenu({ path, last, on }: { path: string; last: boolean; on: RowActions }) {
  return (
    <span className="opacity-0 group-focus-within/file:opacity-100 group-hover/file:opacity-100 pointer-coarse:opacity-100">
      <Menu
        label={`Actions for ${path}`}
        align="end"
        trigger={(trigger) => (
          <IconButton {...trigger} size="sm" icon={MoreHorizontal} label={`Actions for ${path}`} tip="Actions" />
        )}
      >
        <MenuItem icon={Pencil} onSelect={() => on.move(path)}>
          Rename…
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          reason={last ? 'A function needs at least one file.' : undefined}
          onSelect={() => on.remove(path)}
        >
          Remove
        </MenuItem>
      </Menu>
    </span>
  );
}
