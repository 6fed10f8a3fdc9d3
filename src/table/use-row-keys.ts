import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useHotkey } from '../hooks/use-hotkey.ts';

export interface RowKeysOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** The row whose panel is open: walking then changes the panel. */
  readonly currentId: string | undefined;
  readonly linkOf: ((id: string) => string) | undefined;
  readonly scrollTo: (index: number) => void;
  readonly onSelect: ((id: string) => void) | undefined;
}

/** Something in the row that has its own use for a press. */
const OWN = 'a, button, input, label, select, textarea, summary, [role="menu"]';

const linkIn = (root: HTMLElement | null, id: string) =>
  root?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-link]`);

/**
 * Walking a list: `j` and `k` (and the arrows inside it) go to the next row and back, as do `[` and `]` beside an open
 * panel; `x` selects, Enter follows the row's link because the link has the focus. Gives the row that is walked to; its
 * link is the list's one tab stop.
 */
export function useRowKeys({ box, ids, currentId, linkOf, scrollTo, onSelect }: RowKeysOptions): string | undefined {
  const [activeId, setActiveId] = useState<string>();
  const navigate = useNavigate();
  const wantsFocus = useRef<string>(undefined);
  // where the panel is on its way to: a second press goes on from there, not from what is still shown
  const headedFor = useRef<string>(undefined);
  const arrivedAt = useRef(currentId);
  useLayoutEffect(() => {
    if (arrivedAt.current !== currentId) headedFor.current = undefined;
    arrivedAt.current = currentId;
  }, [currentId]);

  const walk = (step: 1 | -1) => {
    if (!linkOf || ids.length === 0) return;
    const here = ids.indexOf(headedFor.current ?? currentId ?? activeId ?? '');
    const index = here === -1 ? 0 : Math.min(Math.max(here + step, 0), ids.length - 1);
    const id = ids[index];
    if (id === undefined) return;
    scrollTo(index);
    setActiveId(id);
    const focused = document.activeElement;
    const elsewhere = focused !== null && focused !== document.body && !box.current?.contains(focused);
    // with a panel open the keyboard may be in it: the panel changes, the focus stays
    if (currentId === undefined || !elsewhere) wantsFocus.current = id;
    if (currentId !== undefined) {
      headedFor.current = id;
      void navigate(linkOf(id), { replace: true, preventScrollReset: true });
    }
    linkIn(box.current, id)?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    const id = wantsFocus.current;
    const link = id === undefined ? undefined : linkIn(box.current, id);
    if (!link) return;
    wantsFocus.current = undefined;
    link.focus({ preventScroll: true });
  });

  const onRow = useEffectEvent((event: Event) => {
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (id === undefined) return;
    if (event.type === 'focusin') setActiveId(id);
    else if (event instanceof MouseEvent && !target?.closest(OWN) && !window.getSelection()?.toString()) {
      // the whole row is as good as its link; with a modifier the browser opens a tab, as for any link
      const { ctrlKey, metaKey, shiftKey } = event;
      linkIn(box.current, id)?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
      );
    }
  });
  const onArrow = useEffectEvent((event: KeyboardEvent) => {
    const inRow = event.target instanceof Element && event.target.closest('[data-row]');
    if (!inRow || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    walk(event.key === 'ArrowDown' ? 1 : -1);
  });
  useEffect(() => {
    const list = box.current;
    const listeners = new AbortController();
    list?.addEventListener('focusin', (event) => onRow(event), listeners);
    list?.addEventListener('click', (event) => onRow(event), listeners);
    list?.addEventListener('keydown', (event) => onArrow(event), listeners);
    return () => listeners.abort();
  }, [box]);

  const select = () => {
    const id = activeId ?? currentId;
    if (id !== undefined && ids.includes(id)) onSelect?.(id);
  };
  useHotkey('j', () => walk(1), { enabled: linkOf !== undefined });
  useHotkey('k', () => walk(-1), { enabled: linkOf !== undefined });
  // lists are newest first: with an open panel the brackets turn to the older and the newer one
  useHotkey('[', () => walk(1), { enabled: linkOf !== undefined && currentId !== undefined });
  useHotkey(']', () => walk(-1), { enabled: linkOf !== undefined && currentId !== undefined });
  useHotkey('x', select, { enabled: onSelect !== undefined });
  return activeId !== undefined && ids.includes(activeId) ? activeId : undefined;
}
