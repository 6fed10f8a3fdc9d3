import { useEffect, useRef, useState } from 'react';
import type { DiffWalk, Way } from '../../../editor/diff-walk.ts';
import type { FileDiff } from './ChangedFiles.tsx';

type At = { readonly file: string; readonly change: number; readonly end?: Way };

/** Steps through the changes of all files: the last change of a file is followed by the first one of the next file. */
export function useDiffWalk(diffs: readonly FileDiff[], shown: FileDiff | undefined, onFile: (file: string) => void) {
  const [known, setWalk] = useState<DiffWalk>();
  const [at, setAt] = useState<At>();
  /**
   * A pending step to another file: the end to start from once its diff is ready, and whether the editor had the focus.
   */
  const coming = useRef<{ file: string; way: Way; focus: boolean }>(undefined);
  const path = shown?.path;
  // the previous diff may still be displayed
  const walk = known?.path === path ? known : undefined;

  useEffect(() => {
    const entry = coming.current;
    if (!walk || entry?.file !== walk.path) return;
    coming.current = undefined;
    if (entry.focus) walk.focus();
    const change = walk.enter(entry.way);
    setAt(change === undefined ? undefined : { file: walk.path, change });
  }, [walk]);

  const step = (way: Way) => {
    if (!walk) return;
    const change = walk.go(way);
    if (change !== undefined) {
      setAt({ file: walk.path, change });
      return;
    }
    const next = diffs[diffs.findIndex((diff) => diff.path === walk.path) + (way === 'next' ? 1 : -1)];
    if (next) {
      const focus = document.activeElement?.closest('.monaco-diff-editor') !== null;
      coming.current = { file: next.path, way, focus };
      onFile(next.path);
    } else if (walk.count > 0) setAt({ file: walk.path, change: way === 'next' ? walk.count : 1, end: way });
  };
  return { walk, setWalk, step, at: at?.file === path ? at : undefined };
}
