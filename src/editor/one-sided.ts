import type { DiffWalk, Way } from './diff-walk.ts';

export type CodeDiffProps = {
  path: string;
  original: string;
  modified: string;
  originalLabel: string;
  modifiedLabel: string;
  layout: 'split' | 'inline';
  /** Unchanged regions folded away. */
  changesOnly: boolean;
  onCompared?: ((walk: DiffWalk | undefined) => void) | undefined;
  /** The walk's keys, pressed in the editor. */
  onStep?: ((way: Way) => void) | undefined;
};

/** All lines are new, or all are gone: there are no two sides to show. */
export const isOneSided = ({ original, modified }: { original: string; modified: string }): boolean =>
  original === '' || modified === '';
