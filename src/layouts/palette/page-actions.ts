import { useEffect, useId, useSyncExternalStore } from 'react';
import { useLeave } from '../../hooks/use-leave.ts';
import type { Icon } from '../../ui/icon.ts';

/** Something the shown page can do. The palette lists it, the key list names its key. */
export interface PageAction {
  readonly label: string;
  readonly icon?: Icon | undefined;
  /** The key that does the same; the page listens for it itself. */
  readonly kbd?: string | undefined;
  /** Why it can't be done now; the palette then leaves it out. */
  readonly reason?: string | undefined;
  readonly onSelect: () => void;
}

const registered = new Map<string, readonly PageAction[]>();
const listeners = new Set<() => void>();
let shown: readonly PageAction[] = [];

/** Every render registers again; only a changed set of words updates the palette. */
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

/** Puts a page's (or an open panel's) actions into the palette while it is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  const id = useId();
  useEffect(() => register(id, actions));
  useLeave(() => register(id, undefined));
}

function subscribe(onChange: () => void) {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** For the palette and the key list. */
export function useShownActions(): readonly PageAction[] {
  return useSyncExternalStore(subscribe, () => shown);
}
