import { type ReactNode, useRef } from 'react';
import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { useOnline } from '../../hooks/use-online.ts';
import { useTitle } from '../../hooks/use-title.ts';
import { Mark } from '../../ui/Mark.tsx';
import { useFocusFallback } from '../../ui/overlays/use-focus-fallback.ts';
import type { ConnectSession } from './connect-api.ts';

export interface FrameProps {
  /** The app, once it is loaded. */
  readonly app?: ConnectSession['app'] | undefined;
  readonly title?: string | undefined;
  readonly lead?: ReactNode;
  readonly foot?: string | undefined;
  readonly children: ReactNode;
}

/** The layout of the connect window: one card with the app in its header. */
export function Frame({ app, title = 'Connect', lead, foot = 'Sluice', children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const online = useOnline();
  useTitle(title);
  useFocusFallback(title, heading);
  return (
    <div className="grid min-h-dvh content-start justify-items-center gap-4 bg-frame px-4 py-6 text-13 max-sm:px-3 sm:content-center">
      <main className="w-full max-w-[440px] overflow-clip rounded-lg border border-line-2 bg-page">
        {online ? null : (
          <p role="status" className="border-b border-warn-line bg-warn-bg px-5 py-1 text-12 text-warn-fg">
            You are offline.
          </p>
        )}
        {app === undefined ? (
          <h1 className="sr-only">Connect an app</h1>
        ) : (
          <header className="flex items-start gap-3 border-b border-line px-5 py-4">
            <AppIcon app={app.app} name={app.name} size="lg" />
            <div className="min-w-0">
              <h1 ref={heading} tabIndex={-1} className="text-18 outline-none wrap-anywhere">
                {title}
              </h1>
              <p className="text-fg-2 wrap-anywhere">{lead}</p>
            </div>
          </header>
        )}
        {children}
      </main>
      <footer className="flex items-center gap-2 text-12 text-fg-3">
        <span className="flex-none">
          <Mark size={14} />
        </span>
        {foot}
      </footer>
    </div>
  );
}
