import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ToastRegion } from './overlays/ToastRegion.tsx';

/** Around everything: keeps Base UI from writing style elements, which the content policy forbids, and shows toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <ToastRegion />
    </CSPProvider>
  );
}
