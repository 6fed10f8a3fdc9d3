import { useListener } from './use-listener.ts';

/** Whether a key without modifiers is text input and not a command. The code editor is a text box by its role only. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox],[type=radio]), textarea, select, [role=textbox]'))
  );
}

export interface HotkeyOptions {
  /** False disables the key, for example while a dialog is open. */
  readonly enabled?: boolean | undefined;
  /** Also handle the key while a field has the focus. `mod+…` keys always are. */
  readonly whileTyping?: boolean | undefined;
}

/**
 * Calls back on a key: `j`, `/`, `?`, `[`, `Enter`, `mod+k` (Command on a Mac, Control elsewhere).
 * Keys without `mod` are ignored while the user types. A key press that another handler prevented is ignored.
 */
export function useHotkey(
  key: string,
  onPress: (event: KeyboardEvent) => void,
  { enabled = true, whileTyping = false }: HotkeyOptions = {},
): void {
  const withMod = key.startsWith('mod+');
  const wanted = withMod ? key.slice(4) : key;
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if ((event.metaKey || event.ctrlKey) !== withMod) return;
    if (event.key.toLowerCase() !== wanted.toLowerCase()) return;
    if (!withMod && !whileTyping && isTyping(event.target)) return;
    event.preventDefault();
    onPress(event);
  };
  useListener(window, 'keydown', listen, { enabled });
}
