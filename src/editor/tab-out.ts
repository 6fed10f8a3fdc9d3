import type { OnMount } from '@monaco-editor/react';
import { monaco } from './monaco.ts';

const NOTHING_TO_CLOSE =
  '!findWidgetVisible && !markersNavigationVisible && !editorHasSelection && !editorHasMultipleSelections && !inSnippetMode';

/**
 * In an editor Tab indents, so the keyboard needs another way out: Esc, when it has nothing to close, gives Tab back to
 * the page until the editor is entered again. `onChange` is called with the mode.
 */
export function letTabOut(editor: Parameters<OnMount>[0], onChange: (leaves: boolean) => void): void {
  const set = (leaves: boolean) => {
    editor.updateOptions({ tabFocusMode: leaves });
    onChange(leaves);
  };
  const action = editor.addAction({
    id: 'tab.leaves',
    label: 'Let Tab leave the editor',
    keybindings: [monaco.KeyCode.Escape],
    keybindingContext: NOTHING_TO_CLOSE,
    run: () => set(true),
  });
  editor.onDidDispose(() => action.dispose());
  editor.onDidBlurEditorText(() => set(false));
}
