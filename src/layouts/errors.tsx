/**
 * Where errors of the routes are shown. Their components are loaded after the first page is rendered (loadErrorPages):
 * they must be there when the service is not.
 */
import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';

const load = () => import('./page-errors.tsx');

/** Brings the error pages, so that they can be shown without a network. */
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

/** In the place of a page. */
export const PageError = boundary('PageError');
/** In the place of a panel: the list beside it stays. */
export const PanelError = boundary('PanelError');
/** In the place of everything. */
export const FrameError = boundary('FrameError');
