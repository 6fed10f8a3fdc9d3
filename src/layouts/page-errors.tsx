import { useSyncExternalStore } from 'react';
import { isRouteErrorResponse, useLocation, useNavigate, useRevalidator, useRouteError } from 'react-router';
import { toApiError } from '../api/api-error.ts';
import { liveState } from '../api/live/live-state.ts';
import { Link } from '../components/Link.tsx';
import { useChange } from '../hooks/use-change.ts';
import { useOnline } from '../hooks/use-online.ts';
import { path } from '../lib/path.ts';
import { LinkButton } from '../ui/controls/LinkButton.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Panel } from '../ui/overlays/Panel.tsx';
import { PageHead } from '../ui/PageHead.tsx';

type Shown = {
  title: string;
  detail: string;
  requestId?: string | undefined;
  again: boolean;
  /** Only a reload can fix it. */
  reload?: boolean;
};

/** The messages of browsers for a failed module import. */
const NO_MODULE = /dynamically imported module|importing a module script/i;

function read(thrown: unknown): Shown {
  if (thrown instanceof Error && NO_MODULE.test(thrown.message)) {
    const detail = 'Part of the console could not be loaded: the network is down, or the service was updated.';
    return { title: 'This page could not be loaded', detail, again: true, reload: true };
  }
  if (isRouteErrorResponse(thrown) && thrown.status === 404) {
    return { title: 'Not found', detail: 'There is no page at this URL.', again: false };
  }
  const error = toApiError(thrown);
  const { message, requestId } = error;
  if (error.status === 404) {
    return { title: 'Not found', detail: 'It was deleted or does not exist in this account.', requestId, again: false };
  }
  if (error.status === 403) return { title: 'Not allowed', detail: message, requestId, again: false };
  if (error.status === 0) return { title: 'No response', detail: message, again: true };
  return { title: 'This page could not be loaded', detail: message, requestId, again: true };
}

/**
 * The thrown error and the retry function, which also runs when the service is reachable again. The router caches a
 * failed import, so that needs a reload; and a reload while offline would lose the frame too.
 */
function useShown(): Shown & { onRetry: (() => void) | undefined } {
  const shown = read(useRouteError());
  const { revalidate } = useRevalidator();
  const online = useOnline();
  const retry = () => {
    if (shown.reload) window.location.reload();
    else if (shown.again) void revalidate();
  };
  useOnceLive(retry);
  if (shown.reload) return { ...shown, onRetry: online ? retry : undefined };
  return { ...shown, onRetry: shown.again ? retry : undefined };
}

/** Calls back when the service is reachable again. Only then is a reload safe. */
function useOnceLive(onLive: () => void) {
  const live = useSyncExternalStore(liveState.subscribe, () => liveState.get() === 'live');
  useChange(live, () => live && onLive());
}

/** Replaces a page that is missing, not allowed, or failed to load. */
export function PageError() {
  const shown = useShown();
  return (
    <>
      <PageHead title={shown.title} />
      <ErrorState
        title={shown.detail}
        requestId={shown.requestId}
        onRetry={shown.onRetry}
        actions={<LinkButton render={<Link to={path.overview()} />}>Go to Overview</LinkButton>}
      />
    </>
  );
}

/** The same for a panel; the list beside it stays. */
export function PanelError() {
  const shown = useShown();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <Panel mode="beside" title={shown.title} onClose={() => void navigate({ pathname: '..', search })}>
      <ErrorState title={shown.detail} requestId={shown.requestId} onRetry={shown.onRetry} />
    </Panel>
  );
}

/** The same for a tab; the page and its other tabs stay. */
export function TabError() {
  const { title, detail, requestId, onRetry } = useShown();
  return <ErrorState title={title} detail={detail} requestId={requestId} onRetry={onRetry} />;
}

/** Replaces the whole console if the frame itself failed. */
export function FrameError() {
  const shown = read(useRouteError());
  return (
    <main className="grid min-h-dvh content-start justify-items-center bg-frame pt-[min(18vh,160px)] text-13">
      <h1 className="sr-only">{shown.title}</h1>
      <ErrorState
        title={shown.title}
        detail={shown.detail}
        requestId={shown.requestId}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
