/**
 * The error boundaries of routes. Their components load after the first page has rendered (loadErrorPages), so that
 * they are available when the service is not.
 */
import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';

const load = () => import('./page-errors.tsx');

/** Loads the error pages, so that they can be shown offline. */
export function loadErrorPages(): void {
  void load().catch(() => undefined);
}

function boundary(name: 'PageError' | 'PanelError' | 'FrameError'): ComponentType {
  const Shown = lazyPart(async () => ({ default: (await load())[name] }));
  return () => (
    <Suspense>
      <Shown />
    </Suspense>
  );
}

/** Replaces a page. */
export const PageError = boundary('PageError');
/** Replaces a panel; the list beside it stays. */
export const PanelError = boundary('PanelError');
/** Replaces the whole console. */
export const FrameError = boundary('FrameError');
