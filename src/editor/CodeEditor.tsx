import { Editor, type OnMount } from '@monaco-editor/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '../../contract/errors.ts';
import { useHotkey } from '../hooks/use-hotkey.ts';
import { useLatest } from '../hooks/use-latest.ts';
import { cx } from '../ui/cx.ts';
import { addHitKeys, type EditorHits, openFind, showHits } from './editor-hits.ts';
import { holdModels, modelPath } from './models.ts';
import { EDITOR_OPTIONS, languageOf, monaco, THEME } from './monaco.ts';
import { type AskedSymbol, addSymbolKeys } from './symbol-keys.ts';
import { enableTabExit } from './tab-exit.ts';
import { useText } from './use-text.ts';

/** One or more lines of the file. Each new object scrolls there again. */
export type Place = {
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly column?: number;
  readonly focus?: boolean;
};

export type CodeEditorProps = {
  /** Each path has its own text model and undo history; `scope` separates equal paths of functions or versions. */
  scope: string;
  path: string;
  value: string;
  onChange?: ((value: string) => void) | undefined;
  readOnly?: boolean | undefined;
  /** The compile errors of this file. */
  problems?: readonly Problem[] | undefined;
  /** Scrolls there and marks the line. */
  place?: Place | undefined;
  /** The hits of a search in this file. */
  hits?: EditorHits | undefined;
  onSave?: (() => void) | undefined;
  /** Called when a line number is clicked; Shift extends the range from the previous one. */
  onLine?: ((line: number, extend: boolean) => void) | undefined;
  /** Called for the name at the cursor. */
  onSymbol?: ((asked: AskedSymbol) => void) | undefined;
};

const WRITABLE = { ...EDITOR_OPTIONS, readOnly: false } as const;
const READ_ONLY = { ...EDITOR_OPTIONS, readOnly: true, domReadOnly: true } as const;
const NO_PROBLEMS: readonly Problem[] = [];

type MountedEditor = Parameters<OnMount>[0];
type Mark = ReturnType<MountedEditor['createDecorationsCollection']> | undefined;

/** The Monaco editor for one file at a time. */
export function CodeEditor(props: CodeEditorProps) {
  const { scope, path, value, onChange, readOnly = false, problems = NO_PROBLEMS, place, hits } = props;
  const editor = useRef<MountedEditor>(null);
  const mark = useRef<Mark>(undefined);
  const said = useRef<Mark>(undefined);
  const found = useRef<Mark>(undefined);
  // set before the wrapper's effects, which switch the model
  const latest = useLatest(props);
  const [tabLeaves, setTabLeaves] = useState(false);
  const text = useText(editor, { path: modelPath(scope, path), value }, onChange);
  const isFinding = hits?.find !== undefined;
  const options = useMemo(
    () => ({
      ...(readOnly ? READ_ONLY : WRITABLE),
      ariaLabel: labelOf(path, readOnly),
      // the word at the cursor must not replace the query
      find: { seedSearchStringFromSelection: isFinding ? 'selection' : 'always' } as const,
    }),
    [path, readOnly, isFinding],
  );
  useEffect(() => holdModels(scope), [scope]);
  useEffect(() => {
    if (editor.current) said.current = showProblems(editor.current, problems, said.current);
  }, [problems]);
  useEffect(() => {
    if (editor.current) mark.current = showPlace(editor.current, place, mark.current);
  }, [place]);
  useEffect(() => {
    if (editor.current) found.current = showHits(editor.current, hits, found.current);
  }, [hits]);
  useHotkey('mod+f', () => editor.current && openFind(editor.current, hits), { enabled: isFinding });
  const showAll = (mounted: MountedEditor) => {
    said.current = showProblems(mounted, latest.current.problems ?? NO_PROBLEMS, said.current);
    mark.current = showPlace(mounted, latest.current.place, mark.current);
    found.current = showHits(mounted, latest.current.hits, found.current);
  };

  return (
    <div className="relative h-full">
      <Editor
        height="100%"
        theme={THEME}
        path={modelPath(scope, path)}
        language={languageOf(path)}
        defaultValue={value}
        options={options}
        loading={null}
        keepCurrentModel
        onChange={(typed) => text.onType(typed ?? '')}
        onMount={(mounted) => {
          editor.current = mounted;
          text.onMount();
          // an action, because a command would handle the key in every editor instance
          const save = mounted.addAction({
            id: 'save',
            label: 'Deploy',
            keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS],
            run: () => latest.current.onSave?.(),
          });
          mounted.onDidDispose(() => save.dispose());
          addHitKeys(mounted, () => latest.current.hits);
          addSymbolKeys(mounted, () => latest.current.onSymbol);
          enableTabExit(mounted, setTabLeaves);
          mounted.onMouseDown(({ target, event }) => {
            if (target.type !== monaco.editor.MouseTargetType.GUTTER_LINE_NUMBERS || !target.position) return;
            latest.current.onLine?.(target.position.lineNumber, event.shiftKey);
          });
          mounted.onDidChangeModel(() => showAll(mounted));
          showAll(mounted);
        }}
      />
      <p
        role="status"
        className={cx(
          'pointer-events-none absolute right-4 bottom-2 rounded bg-raised px-2 py-0.5 text-12 text-fg-2 shadow-pop',
          !tabLeaves && 'sr-only',
        )}
      >
        {tabLeaves ? 'Tab leaves the editor' : ''}
      </p>
    </div>
  );
}

function labelOf(path: string, readOnly: boolean): string {
  return readOnly ? `${path}, read only` : `${path}, Esc then Tab leaves`;
}

/** Underlines the errors and shows their messages after the lines; replaces earlier ones. */
function showProblems(editor: MountedEditor, problems: readonly Problem[], before: Mark): Mark {
  before?.clear();
  const model = editor.getModel();
  if (!model) return undefined;
  const markers = problems
    .filter(({ line }) => line >= 1 && line <= model.getLineCount())
    .map(({ line, column, text }) => ({
      severity: monaco.MarkerSeverity.Error,
      message: text,
      startLineNumber: line,
      startColumn: column,
      endLineNumber: line,
      endColumn: Math.max(column + 1, model.getWordAtPosition({ lineNumber: line, column })?.endColumn ?? 0),
    }));
  monaco.editor.setModelMarkers(model, 'deploy', markers);
  return editor.createDecorationsCollection(
    markers.map(({ startLineNumber: line, message }) => ({
      range: new monaco.Range(line, model.getLineMaxColumn(line), line, model.getLineMaxColumn(line)),
      options: { showIfCollapsed: true, after: { content: `   ${message}`, inlineClassName: 'code-problem' } },
    })),
  );
}

/** Scrolls to a place and marks its lines; removes the earlier mark. */
function showPlace(editor: MountedEditor, place: Place | undefined, before: Mark): Mark {
  before?.clear();
  const model = editor.getModel();
  if (!place || !model) return undefined;
  const line = Math.min(Math.max(1, place.line), model.getLineCount());
  const last = Math.min(Math.max(line, place.endLine ?? line), model.getLineCount());
  // do not scroll if the line is visible: its number may just have been clicked
  editor.revealLineInCenterIfOutsideViewport(line);
  editor.setPosition({ lineNumber: line, column: place.column ?? 1 });
  if (place.focus) editor.focus();
  return editor.createDecorationsCollection([
    { range: new monaco.Range(line, 1, last, 1), options: { isWholeLine: true, className: 'code-line-mark' } },
  ]);
}
