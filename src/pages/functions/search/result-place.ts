/**
 * The position in the results by history entry: Back and reload restore the focused hit, the scroll position and
 * expanded results.
 */
import { type RefObject, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useListener } from '../../../hooks/use-listener.ts';

type Left = { hit: string | undefined; opened: Set<string> };
type Reloaded = { entry: string; hit?: string; opened: string[]; scrolled: number };
const KEY = 'sluice.place';
const places = new Map<string, Left>();
/** Set until the results are loaded. */
let reloaded = takeReloaded();
if (reloaded) places.set(reloaded.entry, { hit: reloaded.hit, opened: new Set(reloaded.opened) });

function placeOf(entry: string): Left {
  const left = places.get(entry) ?? { hit: undefined, opened: new Set() };
  places.set(entry, left);
  return left;
}

/** The state before a reload, read once. */
function takeReloaded(): Reloaded | undefined {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    sessionStorage.removeItem(KEY);
    return typeof left === 'object' && left !== null && 'opened' in left ? (left as Reloaded) : undefined;
  } catch {
    return undefined;
  }
}

function leave(entry: string, scrolled: number): void {
  const { hit, opened } = placeOf(entry);
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ entry, hit, opened: [...opened], scrolled }));
  } catch {
    // without storage, a reload starts at the top
  }
}

/** Restores the scroll position after a reload, once all results are loaded. */
export function useReloadedPlace(box: RefObject<HTMLElement | null>, whole: boolean): void {
  const { key } = useLocation();
  useEffect(() => {
    if (!whole || !reloaded) return;
    const { entry, scrolled } = reloaded;
    reloaded = undefined;
    if (entry === key && box.current?.scrollTop === 0) box.current.scrollTop = scrolled;
  }, [box, key, whole]);
  useListener(window, 'pagehide', () => leave(key, box.current?.scrollTop ?? 0));
}

/** Restores the focus to the hit that was opened last from here, and calls `onOpen` when a hit is opened. */
export function useHitMemory(box: RefObject<HTMLElement | null>, onOpen: () => void): void {
  const { key } = useLocation();
  useListener(box, 'click', ({ target }) => {
    const hit = target instanceof Element ? target.closest('[data-hit]') : null;
    if (!hit) return;
    placeOf(key).hit = hit.getAttribute('href') ?? undefined;
    onOpen();
  });
  useEffect(() => {
    const href = places.get(key)?.hit;
    const hit = href === undefined ? undefined : hitTo(box.current, href);
    // after the page title, which an ancestor's effect focuses on each navigation
    if (hit) queueMicrotask(() => hit.focus({ preventScroll: true }));
  }, [box, key]);
}

const hitTo = (list: HTMLElement | null, href: string) =>
  [...(list?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])].find((each) => each.getAttribute('href') === href);

/** Whether a result is expanded, stored with the history entry. */
export function useOpened(name: string): readonly [boolean, () => void] {
  const { key } = useLocation();
  const [opened, setOpened] = useState(() => places.get(key)?.opened.has(name) === true);
  const open = () => {
    placeOf(key).opened.add(name);
    setOpened(true);
  };
  return [opened, open];
}
