import { File, FilePlus, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import type { FileChange, Files } from './draft.ts';
import { FileNameForm } from './FileNameForm.tsx';

const CHANGE: Record<FileChange, { letter: string; word: string; ink: string }> = {
  added: { letter: 'A', word: 'added', ink: 'text-ok-fg' },
  changed: { letter: 'M', word: 'changed', ink: 'text-warn-fg' },
  removed: { letter: 'D', word: 'removed', ink: 'text-bad-fg' },
};

export interface FileActions {
  readonly onAdd: (path: string) => void;
  readonly onMove: (path: string, to: string) => void;
  readonly onRemove: (path: string) => void;
}

export interface FileTreeProps {
  files: Files;
  current: string;
  onOpen: (path: string) => void;
  /** Without them the files are for reading. */
  actions?: FileActions | undefined;
  changes?: ReadonlyMap<string, FileChange> | undefined;
  /** How many mistakes the compiler found in a file. */
  mistakes?: ReadonlyMap<string, number> | undefined;
}

type Naming = { what: 'new' } | { what: 'move'; path: string };

/** The files of a version by folder, with what was done to each. */
export function FileTree({ files, current, onOpen, actions, changes, mistakes }: FileTreeProps) {
  const [naming, setNaming] = useState<Naming>();
  const paths = Object.keys(files).sort(byFolder);
  const removed = [...(changes ?? [])].flatMap(([path, change]) => (change === 'removed' ? [path] : []));
  const done = () => setNaming(undefined);
  return (
    <nav aria-label="Files" className="flex min-h-0 flex-col">
      <div className="flex h-9 flex-none items-center pr-2 pl-3">
        <h2 className="text-12 font-medium tracking-normal text-fg-2">Files</h2>
        <span className="ml-auto">
          {actions ? (
            <IconButton size="sm" icon={FilePlus} label="Add a file" onClick={() => setNaming({ what: 'new' })} />
          ) : null}
        </span>
      </div>
      <ul className="min-h-0 overflow-y-auto pb-2">
        {paths.map((path, index) => {
          const folder = folderOf(path);
          const headed = folder !== '' && folder !== folderOf(paths[index - 1] ?? '');
          return (
            <li key={path}>
              {headed ? <div className="data truncate px-3 pt-1 text-fg-3">{folder}/</div> : null}
              {naming?.what === 'move' && naming.path === path ? (
                <FileNameForm
                  label={`New path of ${path}`}
                  initial={path}
                  files={files}
                  onCancel={done}
                  onName={(to) => {
                    actions?.onMove(path, to);
                    done();
                  }}
                />
              ) : (
                <FileRow
                  path={path}
                  current={path === current}
                  change={changes?.get(path)}
                  mistakes={mistakes?.get(path) ?? 0}
                  onOpen={() => onOpen(path)}
                  menu={
                    actions ? (
                      <FileMenu
                        path={path}
                        last={paths.length === 1}
                        onMove={() => setNaming({ what: 'move', path })}
                        onRemove={() => actions.onRemove(path)}
                      />
                    ) : null
                  }
                />
              )}
            </li>
          );
        })}
        {removed.map((path) => (
          <li key={path} className="data flex h-7 items-center gap-2 px-3 text-fg-3">
            <s className="min-w-0 flex-1 truncate">{path}</s>
            <ChangeLetter change="removed" />
          </li>
        ))}
        {naming?.what === 'new' ? (
          <li>
            <FileNameForm
              label="Path of the new file"
              initial={folderOf(current) ? `${folderOf(current)}/` : ''}
              files={files}
              onCancel={done}
              onName={(path) => {
                actions?.onAdd(path);
                done();
              }}
            />
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

interface FileRowProps {
  path: string;
  current: boolean;
  change: FileChange | undefined;
  mistakes: number;
  onOpen: () => void;
  menu: ReactNode;
}

function FileRow({ path, current, change, mistakes, onOpen, menu }: FileRowProps) {
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
        onClick={onOpen}
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
        {change ? <ChangeLetter change={change} /> : null}
      </button>
      {menu}
    </div>
  );
}

function ChangeLetter({ change }: { change: FileChange }) {
  const { letter, word, ink } = CHANGE[change];
  return (
    <span className={cx('data ml-auto flex-none font-medium', ink)} title={word}>
      <span aria-hidden>{letter}</span>
      <span className="sr-only">, {word}</span>
    </span>
  );
}

function FileMenu({
  path,
  last,
  onMove,
  onRemove,
}: {
  path: string;
  last: boolean;
  onMove: () => void;
  onRemove: () => void;
}) {
  return (
    <span className="opacity-0 group-focus-within/file:opacity-100 group-hover/file:opacity-100 pointer-coarse:opacity-100">
      <Menu
        label={`Actions for ${path}`}
        align="end"
        trigger={(trigger) => (
          <IconButton {...trigger} size="sm" icon={MoreHorizontal} label={`Actions for ${path}`} tip="Actions" />
        )}
      >
        <MenuItem icon={Pencil} onSelect={onMove}>
          Rename…
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          reason={last ? 'A function has at least one file.' : undefined}
          onSelect={onRemove}
        >
          Remove
        </MenuItem>
      </Menu>
    </span>
  );
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files of the top before folders, both by name. */
function byFolder(a: string, b: string): number {
  const folders = folderOf(a).localeCompare(folderOf(b));
  return folders === 0 ? a.localeCompare(b) : folders;
}
