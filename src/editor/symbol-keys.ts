/** Keys that ask where the name at the cursor is defined, and where it is used. */
import type { editor } from 'monaco-editor/editor';
import { monaco } from './monaco.ts';

export type AskedSymbol = { readonly name: string; readonly wanted: 'definition' | 'references' };

/** F12 and Shift+F12, also in the context menu. */
export function addSymbolKeys(
  mounted: editor.IStandaloneCodeEditor,
  onSymbol: () => ((asked: AskedSymbol) => void) | undefined,
): void {
  const ask = (wanted: AskedSymbol['wanted']) => {
    const position = mounted.getPosition();
    const name = position && mounted.getModel()?.getWordAtPosition(position)?.word;
    if (name) onSymbol()?.({ name, wanted });
  };
  const { KeyMod, KeyCode } = monaco;
  const added = [
    mounted.addAction({
      id: 'definition',
      label: 'Go to definition',
      keybindings: [KeyCode.F12],
      contextMenuGroupId: 'navigation',
      run: () => ask('definition'),
    }),
    mounted.addAction({
      id: 'references',
      label: 'Find references',
      keybindings: [KeyMod.Shift | KeyCode.F12],
      contextMenuGroupId: 'navigation',
      run: () => ask('references'),
    }),
  ];
  mounted.onDidDispose(() => {
    for (const action of added) action.dispose();
  });
}
