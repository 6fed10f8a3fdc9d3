import { Editor, type OnMount } from '@monaco-editor/react';
import { useLatest } from '../hooks/use-latest.ts';
import { useUnmount } from '../hooks/use-unmount.ts';
import { bindWalkKeys, walkThrough } from './diff-walk.ts';
import { EDITOR_OPTIONS, languageOf, monaco, THEME } from './monaco.ts';
import type { CodeDiffProps } from './one-sided.ts';

const OPTIONS = {
  ...EDITOR_OPTIONS,
  readOnly: true,
  domReadOnly: true,
  folding: false,
  renderFinalNewline: 'off',
  lineDecorationsWidth: 22,
} as const;
/** The line decorations of Monaco's diff editor. */
const ADDED = {
  isWholeLine: true,
  className: 'line-insert',
  marginClassName: 'gutter-insert',
  linesDecorationsClassName: 'insert-sign codicon codicon-diff-insert',
} as const;
const REMOVED = {
  isWholeLine: true,
  className: 'line-delete',
  marginClassName: 'gutter-delete',
  linesDecorationsClassName: 'delete-sign codicon codicon-diff-remove',
} as const;

/** A text without a counterpart: all of its lines were added or removed. */
export function OneSide(props: CodeDiffProps) {
  const { path, original, modified, onCompared } = props;
  const isGone = modified === '';
  const step = useLatest(props.onStep);
  useUnmount(() => onCompared?.(undefined));

  const onMount: OnMount = (editor) => {
    editor.updateOptions({ ariaLabel: isGone ? props.originalLabel : props.modifiedLabel });
    const model = editor.getModel();
    if (!model) return;
    const lines = model.getLineCount();
    const last = lines > 1 && model.getLineLength(lines) === 0 ? lines - 1 : lines;
    const spans = model.getValueLength() > 0 ? [{ first: 1, last }] : [];
    editor.createDecorationsCollection(
      spans.map(() => ({ range: new monaco.Range(1, 1, last, 1), options: isGone ? REMOVED : ADDED })),
    );
    onCompared?.(walkThrough(editor, path, spans, editor.createDecorationsCollection()));
    bindWalkKeys([editor], (way) => step.current?.(way));
  };
  return (
    <Editor
      height="100%"
      theme={THEME}
      language={languageOf(path)}
      defaultValue={isGone ? original : modified}
      loading={null}
      onMount={onMount}
      options={OPTIONS}
    />
  );
}
