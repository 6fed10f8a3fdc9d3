/**
 * More lines around a hit: while the pointer rests on it, by `p` while it has the focus, and by its button on touch screens.
 * One for all hits, as there may be a thousand.
 */
import { type RefObject, useRef, useState } from 'react';
import { useHotkey } from '../../../../hooks/use-hotkey.ts';
import { useListener } from '../../../../hooks/use-listener.ts';
import { useUnmount } from '../../../../hooks/use-unmount.ts';

/** Longer than the delay of the preload, so that the file is usually there. */
const OPEN_AFTER_MS = 500;
/** Time to move the pointer from the hit into the card. */
const CLOSE_AFTER_MS = 200;
const HIT = 'a[data-hit][href*="line="]';
export type Place = { function_id: string; version: number | undefined; file: string; line: number };
type Opened = Place & { href: string; focused: boolean };

/** The place that a hit links to. */
function placeOf(href: string): Place | undefined {
  const { pathname, searchParams } = new URL(href);
  const function_id = pathname.split('/').at(-1);
  const file = searchParams.get('file');
  const line = Number(searchParams.get('line'));
  if (!function_id || !file || !line) return undefined;
  return { function_id, file, line, version: Number(searchParams.get('version')) || undefined };
}

export type HitPreview = {
  readonly opened: Opened | undefined;
  /** The hit. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly close: () => void;
  /** The pointer entered or left the card. */
  readonly onPoint: (isOver: boolean) => void;
};

/** `box`: the scroll container of the results. */
export function useHitPreview(box: RefObject<HTMLElement | null>): HitPreview {
  const [opened, setOpened] = useState<Opened>();
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const after = (ms: number, change: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(change, ms);
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpened(undefined);
  };
  const open = (hit: HTMLAnchorElement, focused: boolean) => {
    clearTimeout(timer.current);
    const place = placeOf(hit.href);
    if (!place) return;
    anchor.current = hit;
    setOpened({ ...place, href: hit.href, focused });
  };
  useUnmount(() => clearTimeout(timer.current));
  useListener(box, 'pointerover', ({ target, pointerType }) => {
    if (pointerType === 'touch' || opened?.focused) return;
    const hit = target instanceof Element ? target.closest<HTMLAnchorElement>(HIT) : null;
    if (hit === null) after(CLOSE_AFTER_MS, close);
    else if (hit.href === opened?.href) clearTimeout(timer.current);
    else after(OPEN_AFTER_MS, () => open(hit, false));
  });
  useListener(box, 'pointerleave', () => {
    if (!opened?.focused) after(CLOSE_AFTER_MS, close);
  });
  useListener(box, 'scroll', close, { passive: true });
  useListener(box, 'click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-preview]') : null;
    const hit = button?.parentElement?.querySelector<HTMLAnchorElement>(HIT);
    if (hit) open(hit, true);
  });
  useHotkey('p', () => {
    const hit = document.activeElement;
    if (hit instanceof HTMLAnchorElement && hit.matches(HIT)) open(hit, true);
  });
  const onPoint = (isOver: boolean) => {
    if (isOver) clearTimeout(timer.current);
    else if (!opened?.focused) after(CLOSE_AFTER_MS, close);
  };
  return { opened, anchor, close, onPoint };
}
