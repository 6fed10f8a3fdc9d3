import { type MouseEvent, type ReactNode, useRef } from 'react';
import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { useOnline } from '../../hooks/use-online.ts';
import { useTitle } from '../../hooks/use-title.ts';
import { Mark } from '../../ui/Mark.tsx';
import { useFocusFallback } from '../../ui/overlays/use-focus-fallback.ts';
import type { ConnectSession } from './connect-api.ts';
import { isPopup, notifyOpener } from './notify-opener.ts';

export interface FrameProps {
  /** The app, once it is loaded. */
  readonly app?: ConnectSession['app'] | undefined;
  readonly title?: string | undefined;
  readonly lead?: ReactNode;
  readonly foot?: string | undefined;
  /** The logo of the requesting account: a data URL. */
  readonly logo?: { readonly src: string; readonly name: string } | undefined;
  /** Where the browser goes if the user does not connect. */
  readonly cancelUrl?: string | null;
  readonly children: ReactNode;
}

/** The layout of the connect window: one card with the app in its header. */
export function Frame({ app, title = 'Connect', lead, foot = 'Sluice', logo, cancelUrl, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const online = useOnline();
  useTitle(title);
  useFocusFallback(title, heading);
  return (
    <div className="grid min-h-dvh content-start justify-items-center gap-4 bg-frame px-4 py-6 text-13 max-sm:px-3 sm:content-center">
      {logo ? (
        <header>
          <img src={logo.src} alt={logo.name} className="h-9 max-w-full object-contain" />
        </header>
      ) : null}
      <main className="w-full max-w-[440px] overflow-clip rounded-lg border border-line-2 bg-page">
        {online ? null : (
          <p role="status" className="border-b border-warn-line bg-warn-bg px-5 py-1 text-12 text-warn-fg">
            You are offline.
          </p>
        )}
        {lead === undefined ? (
          <h1 className="sr-only">Connect an app</h1>
        ) : (
          <header className="flex items-start gap-3 border-b border-line px-5 py-4">
            {app ? <AppIcon app={app.app} name={app.name} size="lg" /> : null}
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
        {cancelUrl ? (
          <a href={cancelUrl} onClick={cancel} className="inline-flex min-h-6 items-center text-accent hover:underline">
            Cancel
          </a>
        ) : null}
      </footer>
    </div>
  );
}

/** In a popup the page that opened it is notified; elsewhere the browser follows the link back to it. */
function cancel(event: MouseEvent): void {
  notifyOpener({ type: 'sluice:canceled' });
  if (!isPopup()) return;
  event.preventDefault();
  window.close();
}
