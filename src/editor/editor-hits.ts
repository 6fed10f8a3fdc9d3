/** The hits of a code search in the editor: marks, keys, and the query for the find widget. */
import type { editor } from 'monaco-editor/editor';
import type { Marker } from '../lib/search-marks.ts';
import { monaco } from './monaco.ts';

/** The text of the find widget. */
export type FindText = { searchString: string; isRegex: boolean; isCaseSensitive: boolean };

export type EditorHits = {
  /** The lines with hits in this file. */
  readonly lines: readonly number[];
  readonly marker: Marker;
  readonly find: FindText | undefined;
  readonly onStep: (by: 1 | -1) => void;
};

type CodeEditor = editor.IStandaloneCodeEditor;
type Marks = editor.IEditorDecorationsCollection | undefined;

/** Marks the matches; a line without a located match is marked whole. Replaces earlier marks. */
export function showHits(mounted: CodeEditor, hits: EditorHits | undefined, before: Marks): Marks {
  before?.clear();
  const model = mounted.getModel();
  if (!model || !hits) return undefined;
  const ranges = hits.lines
    .filter((line) => line <= model.getLineCount())
    .flatMap((line) => {
      const marks = hits.marker(model.getLineContent(line));
      const parts = marks.length === 0 ? [[0, model.getLineLength(line)] as const] : marks;
      return parts.map(([start, end]) => new monaco.Range(line, start + 1, line, end + 1));
    });
  return mounted.createDecorationsCollection(
    ranges.map((range) => ({ range, options: { inlineClassName: 'code-hit' } })),
  );
}

/** Opens the find widget: with the selected text, else with the query of the search. */
export function openFind(mounted: CodeEditor, hits: EditorHits | undefined): void {
  mounted.focus();
  const isSelected = mounted.getSelection()?.isEmpty() === false;
  if (hits?.find && !isSelected) void mounted.getAction('editor.actions.findWithArgs')?.run(hits.find);
  else void mounted.getAction('actions.find')?.run();
}

/** Adds the keys: find everywhere, n and N where the code is read-only. */
export function addHitKeys(mounted: CodeEditor, hits: () => EditorHits | undefined): void {
  const { KeyMod, KeyCode } = monaco;
  const step = (id: string, label: string, by: 1 | -1, key: number) =>
    mounted.addAction({
      id,
      label,
      keybindings: [key],
      precondition: 'editorReadonly',
      run: () => hits()?.onStep(by),
    });
  const added = [
    mounted.addAction({
      id: 'find-hits',
      label: 'Find',
      keybindings: [KeyMod.CtrlCmd | KeyCode.KeyF],
      run: () => openFind(mounted, hits()),
    }),
    step('next-hit', 'Next search hit', 1, KeyCode.KeyN),
    step('previous-hit', 'Previous search hit', -1, KeyMod.Shift | KeyCode.KeyN),
  ];
  mounted.onDidDispose(() => {
    for (const action of added) action.dispose();
  });
}
