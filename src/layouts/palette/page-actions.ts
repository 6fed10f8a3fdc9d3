import { useEffect, useId, useSyncExternalStore } from 'react';
import { useUnmount } from '../../hooks/use-unmount.ts';
import type { Icon } from '../../ui/icon.ts';

/** An action of the current page, listed in the palette and with its key in the keyboard shortcuts. */
export interface PageAction {
  readonly label: string;
  readonly icon?: Icon | undefined;
  /** The shortcut of the action, which the page handles. */
  readonly kbd?: string | undefined;
  /** Why the action is not available; the palette then omits it. */
  readonly reason?: string | undefined;
  readonly onSelect: () => void;
}

const registered = new Map<string, readonly PageAction[]>();
const listeners = new Set<() => void>();
let shown: readonly PageAction[] = [];

/** Called on every render; only changed labels, keys or reasons update the palette. */
function register(id: string, actions: readonly PageAction[] | undefined) {
  if (actions) registered.set(id, actions);
  else registered.delete(id);
  const next = [...registered].flatMap(([owner, list]) =>
    list.map((action, index) => ({ ...action, onSelect: () => registered.get(owner)?.[index]?.onSelect() })),
  );
  const words = (list: readonly PageAction[]) => JSON.stringify(list.map((one) => [one.label, one.kbd, one.reason]));
  if (words(next) === words(shown)) return;
  shown = next;
  for (const listener of listeners) listener();
}

/** Registers the actions of a page or panel with the palette while it is mounted. */
export function usePageActions(actions: readonly PageAction[]): void {
  const id = useId();
  useEffect(() => register(id, actions));
  useUnmount(() => register(id, undefined));
}

function subscribe(onChange: () => void) {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** For the palette and the key list. */
export function useShownActions(): readonly PageAction[] {
  return useSyncExternalStore(subscribe, () => shown);
}
