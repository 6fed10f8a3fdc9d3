import { isRouteErrorResponse, useLocation, useNavigate, useRevalidator, useRouteError } from 'react-router';
import { toApiError } from '../api/api-error.ts';
import { Link } from '../components/Link.tsx';
import { path } from '../lib/path.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { Panel } from '../ui/Panel.tsx';

type Shown = { title: string; detail: string; requestId?: string | undefined; again: boolean };

function read(thrown: unknown): Shown {
  if (isRouteErrorResponse(thrown) && thrown.status === 404) {
    return { title: 'Not found', detail: 'There is no page at this address.', again: false };
  }
  const error = toApiError(thrown);
  const { message, requestId } = error;
  if (error.status === 404) {
    return { title: 'Not found', detail: 'It was deleted, or it never was in this account.', requestId, again: false };
  }
  if (error.status === 403) return { title: 'Not allowed', detail: message, requestId, again: false };
  if (error.status === 0) return { title: 'No answer', detail: message, again: true };
  return { title: 'This page could not be loaded', detail: message, requestId, again: true };
}

/** In the place of a page that could not be shown: missing, not allowed, or failed. */
export function PageError() {
  const shown = read(useRouteError());
  const { revalidate } = useRevalidator();
  return (
    <>
      <PageHead title={shown.title} />
      <ErrorState
        title={shown.detail}
        requestId={shown.requestId}
        onRetry={shown.again ? () => void revalidate() : undefined}
        actions={<LinkButton render={<Link to={path.overview()} />}>Go to Overview</LinkButton>}
      />
    </>
  );
}

/** The same for a route that is a panel: the list beside it stays. */
export function PanelError() {
  const shown = read(useRouteError());
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <Panel mode="beside" title={shown.title} onClose={() => void navigate({ pathname: '..', search })}>
      <ErrorState
        title={shown.detail}
        requestId={shown.requestId}
        onRetry={shown.again ? () => void revalidate() : undefined}
      />
    </Panel>
  );
}

/** Instead of everything: the frame itself could not be shown. */
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
