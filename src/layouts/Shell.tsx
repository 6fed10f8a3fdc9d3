import { Suspense, useEffect, useState } from 'react';
import { type MiddlewareFunction, Navigate, Outlet, redirect, useLocation, useNavigation } from 'react-router';
import { ensure, usePrefetchedQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { offerSignIn, sessionEnd, untilSignedIn } from '../api/session-end.ts';
import { useHotkey } from '../hooks/use-hotkey.ts';
import { lazyPart, untilArrived } from '../lib/lazy-part.ts';
import { path } from '../lib/path.ts';
import { loadErrorPages } from './errors.tsx';
import { NavigationSheet, SideNavigation } from './Navigation.tsx';
import { PaletteOpening } from './palette/PaletteOpening.tsx';
import { TopBar } from './TopBar.tsx';
import { useArrival } from './use-arrival.ts';

// a lost connection is not reported before the first page is rendered
const LiveBanner = lazyPart(() => import('./LiveBanner.tsx'));
const GoneBanner = lazyPart(() => import('./GoneBanner.tsx'));
const KeyList = lazyPart(() => import('./palette/KeyList.tsx'));
const SessionEnd = lazyPart(() => import('./SessionEnd.tsx'));

/**
 * Who is signed in; everybody else goes to the sign-in page and comes back here. Before the loaders of the pages, so
 * that nothing is asked for in vain.
 */
const requireSession: MiddlewareFunction = async ({ request }) => {
  await ensure(sessionQuery);
  if (queryClient.getQueryData(sessionQuery.queryKey)?.session) return;
  // it ended while the console is open: the dialog over the page is answered first
  if (sessionEnd.get()) return untilSignedIn(request.signal);
  const { pathname, search } = new URL(request.url);
  throw redirect(path.signIn(pathname + search));
};
export const middleware = [requireSession];

/** The frame around every page of the console. Once shown it stays: the end of a session is a dialog over the page. */
export function Component() {
  const { session } = usePrefetchedQuery(sessionQuery).data;
  const { pathname, search } = useLocation();
  const [known] = useState(session);
  return known ? <Frame /> : <Navigate to={path.signIn(pathname + search)} replace />;
}

type Overlay = 'palette' | 'keys' | 'navigation' | undefined;

/** The key of the place in the address bar, as the router keeps it there; the page may not show that place yet. */
const keyInHistory = (): string => (window.history.state as { key?: string } | null)?.key ?? 'default';

/** What lies over the page. It belongs to the place it was opened at: going elsewhere closes it. */
function useOverlay() {
  const { key } = useLocation();
  const [opened, setOpened] = useState<{ what: Overlay; at: string }>();
  const open = opened?.at === key ? opened.what : undefined;
  return [open, (what: Overlay) => setOpened({ what, at: keyInHistory() })] as const;
}

/**
 * While the frame is shown: the sign-in after the end of a session, and what the first page needn't wait for, following
 * the service and the means to say that it is gone.
 */
function accompany(): () => void {
  // at once, not when the dialog is loaded: a request that is refused before that waits for it
  const withdraw = offerSignIn();
  loadErrorPages();
  const following = untilArrived(() => import('../api/live/live.ts')).then(({ followLive }) => followLive());
  return () => {
    withdraw();
    void following.then((stop) => stop());
  };
}

function Frame() {
  const [open, setOpen] = useOverlay();
  const close = () => setOpen(undefined);
  useEffect(accompany, []);
  useArrival();
  useHotkey('mod+k', () => setOpen('palette'));
  useHotkey('?', () => setOpen('keys'));
  return (
    <div className="flex h-dvh min-w-0 text-13">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-raised px-3 py-2 text-accent shadow-pop focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <SideNavigation />
      <div className="flex min-w-0 flex-1 flex-col bg-page">
        <TopBar onOpenPalette={() => setOpen('palette')} onOpenNavigation={() => setOpen('navigation')} />
        <Suspense>
          <LiveBanner />
        </Suspense>
        <Suspense>
          <GoneBanner />
        </Suspense>
        <main id="main" tabIndex={-1} className="relative flex min-h-0 flex-1 flex-col outline-none">
          <PendingLine />
          <Outlet />
        </main>
      </div>
      <NavigationSheet open={open === 'navigation'} onClose={close} />
      {open === 'palette' ? <PaletteOpening onClose={close} onOpenKeys={() => setOpen('keys')} /> : null}
      <Suspense>{open === 'keys' ? <KeyList onClose={close} /> : null}</Suspense>
      <Suspense>
        <SessionEnd />
      </Suspense>
    </div>
  );
}

/** The next page is on its way: a line, and only when it takes long enough to be noticed. */
function PendingLine() {
  return useNavigation().state === 'idle' ? null : (
    <div aria-hidden className="ui-skeleton absolute inset-x-0 top-0 z-30 h-0.5 bg-accent" />
  );
}

export { FrameError as ErrorBoundary } from './errors.tsx';

/** Placeholder of the frame before anything has loaded: each part in its final place. */
export function HydrateFallback() {
  return (
    <div className="flex h-dvh">
      <div className="w-side flex-none border-r border-line bg-frame max-md:hidden" />
      <main className="flex-1 bg-page">
        <div className="mb-4 h-bar border-b border-line" />
        <p role="status" className="ui-skeleton px-4 text-fg-2">
          Waiting for the service…
        </p>
      </main>
    </div>
  );
}
