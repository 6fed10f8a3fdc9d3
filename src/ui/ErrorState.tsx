import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './controls/Button.tsx';
import { CopyButton } from './controls/CopyButton.tsx';

export interface ErrorStateProps {
  /** What failed: "The events could not be loaded". */
  title: string;
  /** The error message of the service. */
  detail?: ReactNode;
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  actions?: ReactNode;
}

/** Replaces data that could not be loaded: what failed, the request ID, a retry button. */
export function ErrorState({ title, detail, requestId, onRetry, actions }: ErrorStateProps) {
  return (
    <div role="alert" className="max-w-[560px] px-4 py-5">
      <p className="flex items-center gap-2 text-14 font-strong">
        <CircleAlert size={16} className="flex-none text-bad-fg" aria-hidden />
        {title}
      </p>
      {detail === undefined ? null : <p className="mt-1 wrap-anywhere text-fg-2">{detail}</p>}
      {requestId === undefined ? null : (
        <p className="mt-1 flex items-center gap-1 text-12 text-fg-3">
          Request <span className="data text-fg-2">{requestId}</span>
          <CopyButton text={requestId} label="Copy request ID" />
        </p>
      )}
      {onRetry || actions ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {onRetry ? (
            <Button icon={RotateCw} onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          {actions}
        </div>
      ) : null}
    </div>
  );
}
