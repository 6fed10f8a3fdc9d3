/** Keys and clicks that ask where a name is defined, and where it is used. */
import type { editor } from 'monaco-editor/editor';
import { isMac } from '../ui/KeyCap.tsx';
import { monaco } from './monaco.ts';

export type AskedSymbol = { readonly name: string; readonly wanted: 'definition' | 'references' };

/** F12 and Shift+F12, also in the context menu; a click with Control, or with Command on a Mac. */
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
  addSymbolClick(mounted, (name) => onSymbol()?.({ name, wanted: 'definition' }));
}

type Word = { name: string; range: InstanceType<typeof monaco.Range> };

/** Underlines the name below the pointer while the key is held; a click on it asks for its definition. */
function addSymbolClick(mounted: editor.IStandaloneCodeEditor, onName: (name: string) => void): void {
  const underlined = mounted.createDecorationsCollection();
  const wordAt = ({ target, event }: editor.IEditorMouseEvent): Word | undefined => {
    const isLink = (isMac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
    if (!isLink || target.type !== monaco.editor.MouseTargetType.CONTENT_TEXT) return undefined;
    const { lineNumber: line } = target.position;
    const word = mounted.getModel()?.getWordAtPosition(target.position);
    return word ? { name: word.word, range: new monaco.Range(line, word.startColumn, line, word.endColumn) } : undefined;
  };
  let pressed: Word | undefined;
  const clear = () => underlined.clear();
  mounted.onMouseMove((event) => {
    const word = wordAt(event);
    underlined.set(word ? [{ range: word.range, options: { inlineClassName: 'code-link' } }] : []);
  });
  mounted.onMouseLeave(clear);
  mounted.onKeyUp(clear);
  mounted.onMouseDown((event) => {
    pressed = event.event.leftButton ? wordAt(event) : undefined;
  });
  // on release, because the editor still handles the press as the start of a selection
  mounted.onMouseUp((event) => {
    const word = wordAt(event);
    const isClick = word && pressed?.range.equalsRange(word.range);
    pressed = undefined;
    if (!isClick) return;
    clear();
    onName(word.name);
  });
}
