import { Editor, type OnMount } from '@monaco-editor/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '../../contract/errors.ts';
import { useLatest } from '../hooks/use-latest.ts';
import { cx } from '../ui/cx.ts';
import { holdModels, modelPath } from './models.ts';
import { EDITOR_OPTIONS, languageOf, monaco, THEME } from './monaco.ts';
import { letTabOut } from './tab-out.ts';
import { useText } from './use-text.ts';

/** Somewhere in the file, one line or several. Each new object goes there again. */
export type Place = {
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly column?: number;
  readonly focus?: boolean;
};

export type CodeEditorProps = {
  /** Keeps one text model a path, with its undo history; `scope` separates equal paths of two functions or versions. */
  scope: string;
  path: string;
  value: string;
  onChange?: ((value: string) => void) | undefined;
  readOnly?: boolean | undefined;
  /** What the compiler refused in this file. */
  problems?: readonly Problem[] | undefined;
  /** Scrolls there and marks the line. */
  place?: Place | undefined;
  onSave?: (() => void) | undefined;
  /** A line's number was pressed, with Shift to reach from the one before to here. */
  onLine?: ((line: number, extend: boolean) => void) | undefined;
};

const WRITABLE = { ...EDITOR_OPTIONS, readOnly: false } as const;
const READ_ONLY = { ...EDITOR_OPTIONS, readOnly: true, domReadOnly: true } as const;
const NO_PROBLEMS: readonly Problem[] = [];

type MountedEditor = Parameters<OnMount>[0];
type Mark = ReturnType<MountedEditor['createDecorationsCollection']> | undefined;

/** Monaco on one file at a time. */
export function CodeEditor(props: CodeEditorProps) {
  const { scope, path, value, onChange, readOnly = false, problems = NO_PROBLEMS, place } = props;
  const editor = useRef<MountedEditor>(null);
  const mark = useRef<Mark>(undefined);
  const said = useRef<Mark>(undefined);
  // set before the wrapper's own effects, which put another model into the editor
  const latest = useLatest(props);
  const [tabLeaves, setTabLeaves] = useState(false);
  const text = useText(editor, { path: modelPath(scope, path), value }, onChange);
  const options = useMemo(
    () => ({ ...(readOnly ? READ_ONLY : WRITABLE), ariaLabel: labelOf(path, readOnly) }),
    [path, readOnly],
  );
  useEffect(() => holdModels(scope), [scope]);
  useEffect(() => {
    if (editor.current) said.current = showProblems(editor.current, problems, said.current);
  }, [problems]);
  useEffect(() => {
    if (editor.current) mark.current = showPlace(editor.current, place, mark.current);
  }, [place]);
  const showAll = (mounted: MountedEditor) => {
    said.current = showProblems(mounted, latest.current.problems ?? NO_PROBLEMS, said.current);
    mark.current = showPlace(mounted, latest.current.place, mark.current);
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
          // an action, not a command: a command would answer the key in every editor there ever was
          const save = mounted.addAction({
            id: 'save',
            label: 'Deploy',
            keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS],
            run: () => latest.current.onSave?.(),
          });
          mounted.onDidDispose(() => save.dispose());
          letTabOut(mounted, setTabLeaves);
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

/** Underlines what was refused and says why behind the line; what was said before goes away. */
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

/** Goes there and marks the line; the mark made before goes away. */
function showPlace(editor: MountedEditor, place: Place | undefined, before: Mark): Mark {
  before?.clear();
  const model = editor.getModel();
  if (!place || !model) return undefined;
  const line = Math.min(Math.max(1, place.line), model.getLineCount());
  const last = Math.min(Math.max(line, place.endLine ?? line), model.getLineCount());
  // a line whose number was just pressed stays under the pointer
  editor.revealLineInCenterIfOutsideViewport(line);
  editor.setPosition({ lineNumber: line, column: place.column ?? 1 });
  if (place.focus) editor.focus();
  return editor.createDecorationsCollection([
    { range: new monaco.Range(line, 1, last, 1), options: { isWholeLine: true, className: 'code-line-mark' } },
  ]);
}
