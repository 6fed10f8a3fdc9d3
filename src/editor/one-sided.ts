import type { DiffWalk, Way } from './diff-walk.ts';

export type CodeDiffProps = {
  path: string;
  original: string;
  modified: string;
  originalLabel: string;
  modifiedLabel: string;
  layout: 'split' | 'inline';
  /** Folds unchanged regions. */
  changesOnly: boolean;
  onCompared?: ((walk: DiffWalk | undefined) => void) | undefined;
  /** Called for the navigation keys pressed in the editor. */
  onStep?: ((way: Way) => void) | undefined;
};

/** Whether all lines were added or all were removed, so that only one side is shown. */
export const isOneSided = ({ original, modified }: { original: string; modified: string }): boolean =>
  original === '' || modified === '';
