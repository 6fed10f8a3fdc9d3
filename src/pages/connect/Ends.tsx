import { CircleCheck, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { formatAbsolute } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { wasOpened } from './tell-opener.ts';

/** A link without its token, or a return from a provider that belongs to nothing begun in this browser. */
export function Astray({ problem }: { problem: string | null }) {
  switch (problem) {
    case 'other_browser':
      return (
        <ErrorState
          title="This was begun in another browser"
          detail="Go back to the browser you began in, or open the link in this one and start over."
        />
      );
    case 'unknown_return':
      return (
        <ErrorState
          title="This sign-in is over"
          detail="It was finished before, or it took too long. If you are not connected yet, open the link again and start over."
        />
      );
    default:
      return (
        <ErrorState
          title="This link is incomplete"
          detail="Its end is missing. Open it again from where you got it, or ask for a new one."
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
  const why =
    status === 404 ? 'It was changed on its way, or what it was for was deleted.' : withLocalTimes(error.message);
  return (
    <ErrorState
      title="This link can’t be used"
      detail={`${why} Ask whoever sent it for a new one.`}
      requestId={requestId}
    />
  );
}

/** The service writes instants in UTC; whoever was sent a link has only their own clock. */
function withLocalTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatAbsolute(new Date(instant), 'local'));
}

export function Done(): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-3 p-5">
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2">
        <CircleCheck size={16} className="flex-none text-ok-fg" aria-hidden /> Done. You can close this window.
      </p>
      {wasOpened() ? (
        <Button icon={X} onClick={() => window.close()}>
          Close
        </Button>
      ) : null}
    </div>
  );
}
