import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ApiError } from '../../api/api-error.ts';
import { formatAbsolute } from '../../lib/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { ConnectSession } from './connect-api.ts';
import { isPopup, wasOpened } from './notify-opener.ts';

/** Shown for a link without a token, and for a provider's redirect that matches no flow of this browser. */
export function InvalidLink({ problem }: { problem: string | null }) {
  switch (problem) {
    case 'other_browser':
      return (
        <ErrorState
          title="This sign-in was started in another browser"
          detail="Go back to that browser, or open the link in this one to start again."
        />
      );
    case 'unknown_return':
      return (
        <ErrorState
          title="This sign-in has expired"
          detail="It was already completed, it timed out, or the connection was deleted. If you are not connected yet, open the link again, or ask for a new one."
        />
      );
    default:
      return (
        <ErrorState
          title="This link is incomplete"
          detail="Its last part is missing. Copy the whole link and open it again, or ask for a new one."
        />
      );
  }
}

export function Refused({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { status, requestId } = error;
  if (status < 400 || status >= 500 || status === 429) {
    return (
      <ErrorState title="The link could not be read" detail={error.message} requestId={requestId} onRetry={onRetry} />
    );
  }
  // The API returns "Connect link not found" for a forged link.
  if (status === 404 && !error.message.startsWith('Connect link')) {
    return (
      <ErrorState
        title="This connection was deleted"
        detail="Its link no longer works. Ask for a new one if you still want to connect."
        requestId={requestId}
      />
    );
  }
  const why = status === 404 ? 'The link was altered.' : withLocalTimes(error.message);
  return <ErrorState title="This link can’t be used" detail={`${why} Ask for a new one.`} requestId={requestId} />;
}

/** Rewrites the UTC timestamps of a message in the browser's time zone. */
function withLocalTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatAbsolute(new Date(instant), 'local'));
}

/** `elsewhere`: the connection was completed in another window. */
export function Done({
  session: { unconfirmed, redirect_url },
  elsewhere,
}: {
  session: ConnectSession;
  elsewhere: boolean;
}) {
  return (
    <div className="grid gap-4 p-5">
      {unconfirmed?.asked ? (
        <p
          role="status"
          className="flex items-start gap-2 rounded border border-warn-line bg-warn-bg px-3 py-2 text-warn-fg"
        >
          <TriangleAlert size={14} strokeWidth={2} className="mt-[3px] flex-none" aria-hidden />
          <span className="min-w-0 flex-1 wrap-anywhere">{unconfirmed.message}</span>
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2">
          <CircleCheck size={16} className="flex-none text-ok-fg" aria-hidden />
          {elsewhere ? 'Connected in another window. You can close this one.' : 'Done. You can close this window.'}
        </p>
        {redirect_url !== null && !isPopup() ? (
          <a className="text-accent hover:underline" href={redirect_url}>
            Continue to {new URL(redirect_url).host}
          </a>
        ) : wasOpened() ? (
          <Button icon={X} onClick={() => window.close()}>
            Close
          </Button>
        ) : null}
      </div>
      {unconfirmed && !unconfirmed.asked ? (
        <p className="text-12 text-fg-3 wrap-anywhere">{unconfirmed.message}</p>
      ) : null}
    </div>
  );
}
