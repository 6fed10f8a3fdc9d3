import type { DiffOnMount, OnMount } from '@monaco-editor/react';
import { monaco } from './monaco.ts';

type Diff = Parameters<DiffOnMount>[0];
type OneEditor = Parameters<OnMount>[0];
type Mark = ReturnType<OneEditor['createDecorationsCollection']>;
/** The lines of a change, both ends inclusive. */
type Span = { readonly first: number; readonly last: number };
export type Way = 'next' | 'previous';
/** Navigation through the changes of a file, available once they are computed. */
export type DiffWalk = {
  /** The compared file. */
  readonly path: string;
  readonly count: number;
  /** Moves to the next or previous change from the cursor. Returns its number from 1; undefined if there is none. */
  readonly go: (way: Way) => number | undefined;
  /** Moves to the first change when coming from the previous file, to the last when coming from the next one. */
  readonly enter: (way: Way) => number | undefined;
  readonly focus: () => void;
};

/** Navigation through the current changes of a diff editor. */
export function walkOf(diff: Diff, path: string, mark: Mark): DiffWalk {
  // a pure removal has no modified lines, so use the line before it
  const spans = (diff.getLineChanges() ?? []).map(({ modifiedStartLineNumber: start, modifiedEndLineNumber: end }) => {
    const first = Math.max(1, start);
    return { first, last: Math.max(first, end) };
  });
  return walkThrough(diff.getModifiedEditor(), path, spans, mark);
}

/** Navigation starts from the cursor, wherever the user put it. `mark` highlights the current change. */
export function walkThrough(editor: OneEditor, path: string, spans: readonly Span[], mark: Mark): DiffWalk {
  let here: { index: number; line: number } | undefined;
  const show = (index: number): number | undefined => {
    const span = spans[index];
    if (!span) return undefined;
    here = { index, line: span.first };
    editor.setPosition({ lineNumber: span.first, column: 1 });
    editor.revealLinesInCenterIfOutsideViewport(span.first, span.last);
    mark.set([
      {
        range: new monaco.Range(span.first, 1, span.last, 1),
        options: { isWholeLine: true, className: 'edge-accent' },
      },
    ]);
    return index + 1;
  };
  return {
    path,
    count: spans.length,
    go: (way) => {
      const line = editor.getPosition()?.lineNumber ?? 1;
      if (here?.line === line) return show(here.index + (way === 'next' ? 1 : -1));
      const started = here !== undefined || line > 1;
      if (way === 'next') return show(spans.findIndex(({ first }) => (started ? first > line : first >= line)));
      return show(spans.findLastIndex(({ first }) => first < line));
    },
    enter: (way) => show(way === 'next' ? 0 : spans.length - 1),
    focus: () => editor.focus(),
  };
}

export const markOf = (diff: Diff) => diff.getModifiedEditor().createDecorationsCollection();

/** Binds the navigation keys in read-only editors, where letters have no other use. */
export function bindWalkKeys(editors: readonly OneEditor[], step: (way: Way) => void): void {
  const { KeyCode, KeyMod } = monaco;
  const KEYS = { next: [KeyCode.F7, KeyCode.KeyN], previous: [KeyMod.Shift | KeyCode.F7, KeyCode.KeyP] };
  for (const editor of editors) {
    for (const way of ['next', 'previous'] as const) {
      const action = editor.addAction({
        id: `walk.${way}`,
        label: way === 'next' ? 'Next change' : 'Previous change',
        keybindings: KEYS[way],
        run: () => step(way),
      });
      editor.onDidDispose(() => action.dispose());
    }
  }
}
