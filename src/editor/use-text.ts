/**
 * Keeps an editor's text and the text its page holds the same, without losing a letter. What is typed comes back as
 * `value` some renders later, when more has been typed: such an echo must not be put into the editor again. Only a
 * value that the editor never said (a discarded draft, another version) replaces what is in it.
 */
import type { OnMount } from '@monaco-editor/react';
import { type RefObject, useEffect, useRef } from 'react';

type MountedEditor = Parameters<OnMount>[0];
type Shown = { readonly path: string; readonly value: string };

/** The returned functions are for the editor's mount and for its own changes. */
export function useText(
  editor: RefObject<MountedEditor | null>,
  { path, value }: Shown,
  onChange?: (text: string) => void,
) {
  /** Said by the editor and not yet come back, oldest first. */
  const said = useRef<string[]>([]);
  const seen = useRef<Shown>({ path, value });
  const replacing = useRef(false);

  const replace = (text: string) => {
    const model = editor.current?.getModel();
    said.current = [];
    if (!model || model.getValue() === text) return;
    replacing.current = true;
    model.pushStackElement();
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    model.pushStackElement();
    replacing.current = false;
  };
  // after every render: also one that brings no new value may be the one that caught up
  useEffect(() => {
    const before = seen.current;
    seen.current = { path, value };
    const echo = before.path === path ? said.current.indexOf(value) : -1;
    if (echo >= 0) said.current.splice(0, echo + 1);
    else if (before.path !== path || before.value !== value) replace(value);
  });
  return {
    onMount: () => replace(seen.current.value),
    onType: (text: string) => {
      if (replacing.current) return;
      said.current.push(text);
      onChange?.(text);
    },
  };
}
