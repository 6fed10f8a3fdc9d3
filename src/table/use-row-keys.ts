import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isTyping, useHotkey } from '../hooks/use-hotkey.ts';
import { useLeave } from '../hooks/use-leave.ts';
import { useListener } from '../hooks/use-listener.ts';

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

/** Keys that come closer together than this are one walk; what costs more than moving the focus waits for its end. */
const REST_MS = 150;
const WALK_KEYS: ReadonlySet<string> = new Set(['j', 'k', '[', ']', 'ArrowDown', 'ArrowUp']);

const linkIn = (root: HTMLElement | null, id: string) =>
  root?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-link]`);

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** Which way an arrow key that is pressed in a row goes. */
function arrowStep({ key, target }: KeyboardEvent): 1 | -1 | undefined {
  if (!(target instanceof Element) || !target.closest('[data-row]')) return undefined;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
}

function indexAfter(ids: readonly string[], id: string | undefined, step: 1 | -1): number {
  const here = ids.indexOf(id ?? '');
  return here === -1 ? 0 : Math.min(Math.max(here + step, 0), ids.length - 1);
}

/** The row whose link takes the focus as soon as it is drawn. */
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

/** The whole row acts as its link; with a modifier the browser opens a tab, as for any link. */
function follow(link: HTMLElement | null | undefined, { ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Lists are newest first: with an open panel the brackets turn to the older and the newer one. */
function useWalkHotkeys(walk: (step: 1 | -1) => void, { enabled, panel }: { enabled: boolean; panel: boolean }): void {
  useHotkey('j', () => walk(1), { enabled });
  useHotkey('k', () => walk(-1), { enabled });
  useHotkey('[', () => walk(1), { enabled: enabled && panel });
  useHotkey(']', () => walk(-1), { enabled: enabled && panel });
}

/**
 * Walking a list: `j` and `k` (and the arrows inside it) go to the next row and back, as do `[` and `]` beside an open
 * panel; `x` selects, Enter follows the row's link because the link has the focus. Gives the row that is walked to; its
 * link is the list's one tab stop.
 */
export function useRowKeys({ box, ids, currentId, linkOf, scrollTo, onSelect }: RowKeysOptions): string | undefined {
  const [activeId, setActiveId] = useState<string>();
  const navigate = useNavigate();
  const wantsFocus = useWantedFocus(box);
  // newer than activeId until the walk rests
  const walkedTo = useRef<string>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // where the panel is on its way to: a second press continues from there, not from what is still shown
  const headedFor = useRef<{ id: string; href: string }>(undefined);
  const sentTo = useRef<string>(undefined);
  const arrivedAt = useRef(currentId);
  // keys meant for the event of the row, pressed before its panel is shown
  const early = useRef<string[]>([]);
  useLayoutEffect(() => {
    if (arrivedAt.current === currentId) return;
    arrivedAt.current = currentId;
    // the first row of a walk opens at once: reaching it doesn't end the walk
    if (currentId === headedFor.current?.id || currentId !== sentTo.current) headedFor.current = undefined;
  }, [currentId]);
  useEffect(() => {
    if (headedFor.current !== undefined) return;
    // of a walk that ended elsewhere, for example in a closed panel, nothing is pressed
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
    // a key that comes meanwhile goes first
    startTransition(() => setActiveId(walkedTo.current));
    send();
  };
  // any other key or press ends the walk first; a letter waits for the panel of the row that was reached
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
  useLeave(() => {
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
      // the row first: the panel follows after it is painted
      if (!walking) requestAnimationFrame(() => setTimeout(send));
    }
    const link = linkIn(box.current, id);
    // with a panel open the keyboard may be in it: a row that isn't drawn yet doesn't take the focus from there
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
