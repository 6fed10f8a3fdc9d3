import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isTyping, useHotkey } from '../hooks/use-hotkey.ts';
import { useListener } from '../hooks/use-listener.ts';
import { useUnmount } from '../hooks/use-unmount.ts';

export interface RowKeysOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** The row whose panel is open. Moving to another row then changes the panel. */
  readonly currentId: string | undefined;
  readonly linkOf: ((id: string) => string) | undefined;
  readonly scrollTo: (index: number) => void;
  readonly onSelect: ((id: string) => void) | undefined;
}

/** Elements in a row that handle clicks. */
const OWN = 'a, button, input, label, select, textarea, summary, [role="menu"]';

/** Keys within this interval form one walk. Everything more expensive than moving the focus waits for its end. */
const REST_MS = 150;
const WALK_KEYS: ReadonlySet<string> = new Set(['j', 'k', '[', ']', 'ArrowDown', 'ArrowUp']);

const linkIn = (root: HTMLElement | null, id: string) =>
  root?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-link]`);

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** The direction of an arrow key pressed in a row. */
function arrowStep({ key, target }: KeyboardEvent): 1 | -1 | undefined {
  if (!(target instanceof Element) || !target.closest('[data-row]')) return undefined;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
}

function indexAfter(ids: readonly string[], id: string | undefined, step: 1 | -1): number {
  const here = ids.indexOf(id ?? '');
  return here === -1 ? 0 : Math.min(Math.max(here + step, 0), ids.length - 1);
}

/** The row whose link takes the focus as soon as it is rendered. */
function useWantedFocus(box: RefObject<HTMLElement | null>): RefObject<string | undefined> {
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    const link = wanted.current === undefined ? undefined : linkIn(box.current, wanted.current);
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });
  return wanted;
}

function isFocusOutside(box: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && !box?.contains(focused);
}

function press(key: string): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  (document.activeElement ?? document.body).dispatchEvent(event);
}

/** Clicks the link of a row, with the modifiers of the click, so that the browser can open a tab. */
function follow(link: HTMLElement | null | undefined, { ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Binds the keys. Lists are newest first; with an open panel, brackets move to the older and the newer row. */
function useWalkHotkeys(walk: (step: 1 | -1) => void, { enabled, panel }: { enabled: boolean; panel: boolean }): void {
  useHotkey('j', () => walk(1), { enabled });
  useHotkey('k', () => walk(-1), { enabled });
  useHotkey('[', () => walk(1), { enabled: enabled && panel });
  useHotkey(']', () => walk(-1), { enabled: enabled && panel });
}

/**
 * Keyboard navigation of a list: `j` and `k` (and arrows inside the list) move to the next and previous row, as do `[`
 * and `]` with an open panel. `x` selects. Enter follows the link of the row, which has the focus. Returns the active
 * row, whose link is the only tab stop of the list.
 */
export function useRowKeys({ box, ids, currentId, linkOf, scrollTo, onSelect }: RowKeysOptions): string | undefined {
  const [activeId, setActiveId] = useState<string>();
  const navigate = useNavigate();
  const wantsFocus = useWantedFocus(box);
  // ahead of activeId until the walk ends
  const walkedTo = useRef<string>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // the row whose panel is loading; the next key continues from it, not from the displayed one
  const headedFor = useRef<{ id: string; href: string }>(undefined);
  const sentTo = useRef<string>(undefined);
  const arrivedAt = useRef(currentId);
  // keys for the panel of the row, pressed before the panel is shown
  const early = useRef<string[]>([]);
  useLayoutEffect(() => {
    if (arrivedAt.current === currentId) return;
    arrivedAt.current = currentId;
    // the first row of a walk opens immediately, which does not end the walk
    if (currentId === headedFor.current?.id || currentId !== sentTo.current) headedFor.current = undefined;
  }, [currentId]);
  useEffect(() => {
    if (headedFor.current !== undefined) return;
    // drop the keys if the walk ended elsewhere, for example in a closed panel
    const keys = currentId === sentTo.current ? early.current : [];
    early.current = [];
    for (const key of keys) press(key);
  }, [currentId]);

  const send = () => {
    const next = headedFor.current;
    if (!next || next.id === sentTo.current) return;
    sentTo.current = next.id;
    void navigate(next.href, { replace: true, preventScrollReset: true });
  };
  const settle = () => {
    if (resting.current === undefined) return;
    clearTimeout(resting.current);
    resting.current = undefined;
    // a transition, so that further keys take precedence
    startTransition(() => setActiveId(walkedTo.current));
    send();
  };
  // any other key or click ends the walk; a letter waits for the panel of the reached row
  const onKey = (event: KeyboardEvent) => {
    const isWalk = WALK_KEYS.has(event.key) && early.current.length === 0;
    if (!isWalk) settle();
    const isShown = headedFor.current === undefined || headedFor.current.id === arrivedAt.current;
    if (isWalk || isShown || !isLetter(event) || isTyping(event.target)) return;
    early.current.push(event.key);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  useListener(window, 'keydown', onKey, { capture: true });
  useListener(window, 'pointerdown', settle, { capture: true });
  useUnmount(() => {
    clearTimeout(resting.current);
    resting.current = undefined;
    headedFor.current = undefined;
    early.current = [];
  });

  const walk = (step: 1 | -1) => {
    if (!linkOf || ids.length === 0) return;
    const index = indexAfter(ids, headedFor.current?.id ?? currentId ?? walkedTo.current, step);
    const id = ids[index];
    if (id === undefined) return;
    scrollTo(index);
    walkedTo.current = id;
    const elsewhere = isFocusOutside(box.current);
    const walking = resting.current !== undefined;
    clearTimeout(resting.current);
    resting.current = setTimeout(settle, REST_MS);
    if (currentId !== undefined) {
      if (headedFor.current === undefined) sentTo.current = currentId;
      headedFor.current = { id, href: linkOf(id) };
      // paint the row first, then load the panel
      if (!walking) requestAnimationFrame(() => setTimeout(send));
    }
    const link = linkIn(box.current, id);
    // with an open panel the focus may be in it; a row that is not rendered yet must not take the focus from there
    wantsFocus.current = link || (currentId !== undefined && elsewhere) ? undefined : id;
    link?.focus({ preventScroll: true });
  };
  const onRow = (event: FocusEvent | MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (id === undefined) return;
    if (event.type === 'focusin') {
      walkedTo.current = id;
      if (resting.current === undefined) setActiveId(id);
    } else if (event instanceof MouseEvent && !target?.closest(OWN) && !window.getSelection()?.toString()) {
      follow(linkIn(box.current, id), event);
    }
  };
  useListener(box, ['focusin', 'click'], onRow);
  useListener(box, 'keydown', (event) => {
    const step = arrowStep(event);
    if (step === undefined) return;
    event.preventDefault();
    walk(step);
  });

  const select = () => {
    const id = walkedTo.current ?? currentId;
    if (id !== undefined && ids.includes(id)) onSelect?.(id);
  };
  useWalkHotkeys(walk, { enabled: linkOf !== undefined, panel: currentId !== undefined });
  useHotkey('x', select, { enabled: onSelect !== undefined });
  return activeId !== undefined && ids.includes(activeId) ? activeId : undefined;
}
