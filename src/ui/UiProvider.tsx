import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ToastRegion } from './overlays/ToastRegion.tsx';

/** Wraps the app: renders toasts and disables the style elements of Base UI, which the security policy blocks. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <ToastRegion />
    </CSPProvider>
  );
}
