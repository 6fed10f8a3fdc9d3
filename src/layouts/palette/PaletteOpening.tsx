import { Suspense, useCallback, useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';

const load = () => import('./Palette.tsx');
const Palette = lazyPart(load);

/** Preloads the palette, for example when its button is hovered. */
export function preloadPalette(): void {
  void load().catch(() => undefined);
}

/** The palette, and until it has loaded a placeholder field that buffers what is typed. */
export function PaletteOpening({ onClose, onOpenKeys }: { onClose: () => void; onOpenKeys: () => void }) {
  const [before] = useState(focused);
  const early = useRef('');
  const [isMounted, setMounted] = useState(false);
  const takeOver = useCallback(() => {
    setMounted(true);
    const typed = early.current;
    early.current = '';
    return typed;
  }, []);
  return (
    <>
      {isMounted ? null : (
        <search className="fixed inset-x-4 top-[min(14vh,112px)] z-40 mx-auto h-11 max-w-[600px] rounded-lg bg-raised shadow-window max-sm:inset-x-2 max-sm:top-2">
          <input
            ref={focus}
            aria-label="Search or jump to"
            placeholder="Search or jump to…"
            className="size-full bg-transparent px-9 text-14 outline-none"
            onInput={({ currentTarget }) => {
              early.current = currentTarget.value;
            }}
            onKeyDown={({ key }) => {
              if (key !== 'Escape') return;
              before?.focus();
              onClose();
            }}
          />
        </search>
      )}
      <Suspense>
        <Palette onClose={onClose} onOpenKeys={onOpenKeys} takeOver={takeOver} before={before} />
      </Suspense>
    </>
  );
}

const focus = (input: HTMLInputElement | null) => input?.focus();

function focused(): HTMLElement | undefined {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined;
}
