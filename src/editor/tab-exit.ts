import type { OnMount } from '@monaco-editor/react';
import { monaco } from './monaco.ts';

const NOTHING_TO_CLOSE =
  '!findWidgetVisible && !markersNavigationVisible && !editorHasSelection && !editorHasMultipleSelections && !inSnippetMode';

/**
 * Tab indents in the editor, so keyboard users need another way to leave it. Esc, if it has nothing to close, makes Tab
 * move the focus until the editor loses it. `onChange` is called with the mode.
 */
export function enableTabExit(editor: Parameters<OnMount>[0], onChange: (leaves: boolean) => void): void {
  const set = (leaves: boolean) => {
    editor.updateOptions({ tabFocusMode: leaves });
    onChange(leaves);
  };
  const action = editor.addAction({
    id: 'tab.leaves',
    label: 'Make Tab move the focus',
    keybindings: [monaco.KeyCode.Escape],
    keybindingContext: NOTHING_TO_CLOSE,
    run: () => set(true),
  });
  editor.onDidDispose(() => action.dispose());
  editor.onDidBlurEditorText(() => set(false));
}
