import type { DiffOnMount, OnMount } from '@monaco-editor/react';
import { monaco } from './monaco.ts';

type Diff = Parameters<DiffOnMount>[0];
type OneEditor = Parameters<OnMount>[0];
type Mark = ReturnType<OneEditor['createDecorationsCollection']>;
/** Lines of one change, both ends in it. */
type Span = { readonly first: number; readonly last: number };
export type Way = 'next' | 'previous';
/** The way through what differs, once it is known. */
export type DiffWalk = {
  /** The file that is compared. */
  readonly path: string;
  readonly count: number;
  /** Goes to the next change from the cursor. Which one that is, from 1; undefined where there is none that way. */
  readonly go: (way: Way) => number | undefined;
  /** To the first change for who comes from the file before, to the last for who comes from behind. */
  readonly enter: (way: Way) => number | undefined;
  readonly focus: () => void;
};

/** Through the changes as they are compared now. */
export function walkOf(diff: Diff, path: string, mark: Mark): DiffWalk {
  // where nothing was added the line before stands for what is gone
  const spans = (diff.getLineChanges() ?? []).map(({ modifiedStartLineNumber: start, modifiedEndLineNumber: end }) => {
    const first = Math.max(1, start);
    return { first, last: Math.max(first, end) };
  });
  return walkThrough(diff.getModifiedEditor(), path, spans, mark);
}

/** The cursor, wherever a person put it, is the starting point of the next step. `mark` shows the present change. */
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

/** The walk's keys inside of an editor, where a letter typed means nothing else. */
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
