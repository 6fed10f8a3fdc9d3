import { FilePlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLatest } from '../../../hooks/use-latest.ts';
import { formatCount } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import type { FileChange, Files } from './draft.ts';
import { FileNameForm } from './FileNameForm.tsx';
import { ChangeLetter, FileRow, type RowActions } from './FileRow.tsx';
import { byFolder, folderOf } from './file-order.ts';

/** Above this number of files, a path search is shown. */
const FEW = 20;

export interface FileActions {
  readonly onAdd: (path: string) => void;
  readonly onMove: (path: string, to: string) => void;
  readonly onRemove: (path: string) => void;
}

export interface FileTreeProps {
  files: Files;
  current: string;
  onOpen: (path: string) => void;
  /** Absent: the files are read-only. */
  actions?: FileActions | undefined;
  changes?: ReadonlyMap<string, FileChange> | undefined;
  /** Compile errors per file. */
  mistakes?: ReadonlyMap<string, number> | undefined;
  /** Search hits per file. */
  hits?: ReadonlyMap<string, number> | undefined;
}

type Naming = { what: 'new' } | { what: 'move'; path: string };

/** The files of a version by folder, with their changes. */
export function FileTree({ files, current, onOpen, actions, changes, mistakes, hits }: FileTreeProps) {
  const [naming, setNaming] = useState<Naming>();
  const [part, setPart] = useState('');
  // editing changes a text but no path: a thousand rows are neither sorted nor rendered on each key press
  const names = Object.keys(files).join('\n');
  const paths = useMemo(() => names.split('\n').sort(byFolder), [names]);
  const latest = useLatest({ onOpen, actions });
  const [on] = useState<RowActions>(() => ({
    open: (path) => latest.current.onOpen(path),
    move: (path) => setNaming({ what: 'move', path }),
    remove: (path) => latest.current.actions?.onRemove(path),
  }));
  const wanted = part.trim().toLowerCase();
  const shown = wanted === '' ? paths : paths.filter((path) => path.toLowerCase().includes(wanted));
  const removed = [...(changes ?? [])].flatMap(([path, change]) => (change === 'removed' ? [path] : []));
  const done = () => setNaming(undefined);
  return (
    <nav aria-label="Files" className="flex min-h-0 flex-col">
      <div className="flex h-9 flex-none items-center pr-2 pl-3">
        <h2 className="text-12 font-medium tracking-normal text-fg-2">Files</h2>
        {paths.length > FEW ? (
          <span role="status" className="ml-2 text-12 text-fg-3 tabular-nums">
            {wanted === '' ? formatCount(paths.length) : `${formatCount(shown.length)} of ${formatCount(paths.length)}`}
          </span>
        ) : null}
        <span className="ml-auto">
          {actions ? (
            <IconButton size="sm" icon={FilePlus} label="Add a file" onClick={() => setNaming({ what: 'new' })} />
          ) : null}
        </span>
      </div>
      {paths.length > FEW ? (
        <SearchInput label="Find a file" value={part} onChange={setPart} className="mx-2 mb-1.5 w-auto flex-none" />
      ) : null}
      <ul className="min-h-0 overflow-y-auto pb-2">
        {shown.map((path, index) => {
          const folder = folderOf(path);
          const headed = folder !== '' && folder !== folderOf(shown[index - 1] ?? '');
          return (
            <li key={path}>
              {headed ? (
                <div className="data truncate px-3 pt-1 text-fg-3" title={`${folder}/`}>
                  {folder}/
                </div>
              ) : null}
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
                  hits={hits?.get(path) ?? 0}
                  last={paths.length === 1}
                  writable={actions !== undefined}
                  on={on}
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
