import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { useListener } from '../../../hooks/use-listener.ts';
import { toast } from '../../../ui/overlays/toast.ts';

/**
 * Hits are links marked with `data-hit`; the first of each function has `data-hit="first"`. The button that shows more
 * hits is a stop too.
 */
const HIT = '[data-hit], [data-more]';

const hits = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(HIT)];

function focus(hit: HTMLElement | undefined): boolean {
  hit?.focus();
  hit?.scrollIntoView({ block: 'nearest' });
  return hit !== undefined;
}

/** Moves the focus from the search box to the first hit. */
export function focusFirstHit(): boolean {
  return focus(hits()[0]);
}

function step(by: 1 | -1, toFunction: boolean): void {
  const all = hits();
  const here = all.indexOf(document.activeElement as HTMLElement);
  const rest = by === 1 ? all.slice(here + 1) : all.slice(0, Math.max(0, here)).reverse();
  focus(rest.find((hit) => !toFunction || hit.dataset['hit'] === 'first'));
}

async function copyLink(): Promise<void> {
  const hit = document.activeElement;
  if (!(hit instanceof HTMLAnchorElement) || !hit.matches(HIT)) return;
  try {
    await navigator.clipboard.writeText(hit.href);
    const isLine = new URL(hit.href).searchParams.has('line');
    const description = isLine ? 'The link opens this line of this version.' : 'The link opens this function.';
    toast({ title: 'Link copied', description, tone: 'ok' });
  } catch {
    toast({ title: 'The link could not be copied', tone: 'bad' });
  }
}

/** j and k move among hits, J and K among functions. On a hit, the arrow keys do the same and y copies its link. */
export function useHitWalk(): void {
  useHotkey('y', () => void copyLink());
  useHotkey('j', (event) => step(1, event.shiftKey));
  useHotkey('k', (event) => step(-1, event.shiftKey));
  useListener(window, 'keydown', (event) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    const free = !event.defaultPrevented && !event.altKey && !event.metaKey && !event.ctrlKey;
    if (by === undefined || !free || !document.activeElement?.matches(HIT)) return;
    event.preventDefault();
    step(by, event.shiftKey);
  });
}
