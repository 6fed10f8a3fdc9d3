import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { type MiddlewareFunction, Navigate, Outlet, redirect, useLocation, useNavigation } from 'react-router';
import { ensure, usePrefetchedQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { offerSignIn, sessionEnd, untilSignedIn } from '../api/session-end.ts';
import { useHotkey } from '../hooks/use-hotkey.ts';
import { path } from '../lib/path.ts';
import { cx } from '../ui/cx.ts';
import { loadErrorPages } from './errors.tsx';
import { DeletedBanner, followLive, HoldBanner, KeyList, LiveBanner, SessionEnd } from './late-part.ts';
import { NavigationSheet, SideNavigation } from './Navigation.tsx';
import { PaletteOpening } from './palette/PaletteOpening.tsx';
import { TopBar } from './TopBar.tsx';
import { useArrival } from './use-arrival.ts';

/**
 * Loads the session. Without one, redirects to the sign-in page, which returns here. Runs before the loaders of pages,
 * so that they make no requests without a session.
 */
const requireSession: MiddlewareFunction = async ({ request }) => {
  await ensure(sessionQuery);
  if (queryClient.getQueryData(sessionQuery.queryKey)?.session) return;
  // the session ended while the console is open: wait for the sign-in dialog
  if (sessionEnd.get()) return untilSignedIn(request.signal);
  const { pathname, search } = new URL(request.url);
  throw redirect(path.signIn(pathname + search));
};
export const middleware = [requireSession];

/** The frame around all pages of the console. It stays mounted when the session ends; a dialog then asks to sign in. */
export function Component() {
  const { session } = usePrefetchedQuery(sessionQuery).data;
  const { pathname, search } = useLocation();
  const [known] = useState(session);
  return known ? <Frame /> : <Navigate to={path.signIn(pathname + search)} replace />;
}

type Overlay = 'palette' | 'keys' | 'navigation' | undefined;

/** The router's key of the current history entry; the page may not have rendered that entry yet. */
const keyInHistory = (): string => (window.history.state as { key?: string } | null)?.key ?? 'default';

/**
 * The open overlay. It belongs to the history entry at which it was opened, so navigation closes it. Opened while a page
 * loads, it belongs to the entry at which that navigation ends, also after a redirect. The navigation sheet does not:
 * its links close it by navigating.
 */
function useOverlay() {
  const { key } = useLocation();
  const isLoading = useNavigation().state !== 'idle';
  const [opened, setOpened] = useState<{ what: Overlay; at: string | undefined }>();
  const isAwaiting = opened !== undefined && opened.at === undefined;
  if (isAwaiting && !isLoading) setOpened({ ...opened, at: key });
  const open = isAwaiting || opened?.at === key ? opened?.what : undefined;
  const set = (what: Overlay) =>
    setOpened({ what, at: isLoading && what !== 'navigation' ? undefined : keyInHistory() });
  return [open, set] as const;
}

/**
 * Runs while the frame is mounted: enables the sign-in dialog and loads what the first page does not need, the error
 * pages and live updates.
 */
function startServices(): () => void {
  // before the dialog is loaded, so that requests that get a 401 until then wait for it
  const withdraw = offerSignIn();
  loadErrorPages();
  const following = followLive();
  return () => {
    withdraw();
    void following.then((stop) => stop());
  };
}

function Frame() {
  const hasEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.get);
  const [open, setOpen] = useOverlay();
  const close = () => setOpen(undefined);
  useEffect(startServices, []);
  useArrival(open === 'palette');
  useHotkey('mod+k', () => setOpen('palette'));
  useHotkey('?', () => setOpen('keys'));
  return (
    <div className={cx('flex h-dvh min-w-0 text-13', hasEnded && 'invisible')}>
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
          <HoldBanner />
        </Suspense>
        <Suspense>
          <DeletedBanner />
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

/** A progress line while the next page loads, with a delay so that short loads do not flash. */
function PendingLine() {
  return useNavigation().state === 'idle' ? null : (
    <div aria-hidden className="ui-skeleton absolute inset-x-0 top-0 z-30 h-0.5 bg-accent" />
  );
}

export { FrameError as ErrorBoundary } from './errors.tsx';

/** The placeholder of the frame until the session has loaded, with the same layout. */
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
