/**
 * Syncs the text of an editor with the `value` of its page without losing keystrokes. Typed text returns as `value`
 * some renders later, when more has been typed, so such an echo must not be written to the editor. Only a value that
 * the editor did not report (a discarded draft, another version) replaces its text.
 */
import type { OnMount } from '@monaco-editor/react';
import { type RefObject, useEffect, useRef } from 'react';

type MountedEditor = Parameters<OnMount>[0];
type Shown = { readonly path: string; readonly value: string };

/** The returned functions handle the mount and the changes of the editor. */
export function useText(
  editor: RefObject<MountedEditor | null>,
  { path, value }: Shown,
  onChange?: (text: string) => void,
) {
  /** Values reported by the editor and not yet echoed, oldest first. */
  const reported = useRef<string[]>([]);
  const seen = useRef<Shown>({ path, value });
  const replacing = useRef(false);

  const replace = (text: string) => {
    const model = editor.current?.getModel();
    reported.current = [];
    if (!model || model.getValue() === text) return;
    replacing.current = true;
    model.pushStackElement();
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    model.pushStackElement();
    replacing.current = false;
  };
  // after every render, because an echo need not change `value`
  useEffect(() => {
    const before = seen.current;
    seen.current = { path, value };
    const echo = before.path === path ? reported.current.indexOf(value) : -1;
    if (echo >= 0) reported.current.splice(0, echo + 1);
    else if (before.path !== path || before.value !== value) replace(value);
  });
  return {
    onMount: () => replace(seen.current.value),
    onType: (text: string) => {
      if (replacing.current) return;
      reported.current.push(text);
      onChange?.(text);
    },
  };
}
