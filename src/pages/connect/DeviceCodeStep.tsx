import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { type ConnectSession, type DeviceCode, pollSession } from './connect-api.ts';

export interface DeviceCodeStepProps {
  readonly code: DeviceCode;
  readonly appName: string;
  readonly onDone: (session: ConnectSession) => void;
  /** Back to the form: with the error if the code expired or access was denied. */
  readonly onEnd: (error: ApiError | undefined) => Promise<void>;
}

/** The code to enter on the app's page, in this browser or on another device. Asks until it was entered. */
export function DeviceCodeStep({ code, appName, onDone, onEnd }: DeviceCodeStepProps) {
  const { handle, user_code, verification_url, complete_url } = code;
  const [isOffline, setOffline] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one sequence of requests for each code
  useEffect(() => {
    let timer: number | undefined;
    let ended = false;
    const ask = async () => {
      let seconds = code.interval_seconds;
      try {
        const { session, interval_seconds } = await pollSession({ handle });
        if (ended) return;
        setOffline(false);
        if (session.finished) return onDone(session);
        seconds = interval_seconds;
      } catch (thrown) {
        const error = toApiError(thrown);
        if (ended) return;
        if ([400, 401, 404].includes(error.status)) return void onEnd(error);
        setOffline(true);
      }
      timer = window.setTimeout(() => void ask(), Math.max(1, seconds) * 1000);
    };
    timer = window.setTimeout(() => void ask(), code.interval_seconds * 1000);
    return () => {
      ended = true;
      window.clearTimeout(timer);
    };
  }, [handle]);
  return (
    <div className="grid gap-4">
      <p>Enter this code on the page of {appName}, in this browser or on another device. Keep this window open.</p>
      <div className="flex flex-wrap items-center gap-3">
        <output aria-label="Code" className="data rounded border border-line bg-sunken px-3 py-2 text-18 font-medium">
          {user_code}
        </output>
        <CopyButton text={user_code} label="Copy the code" size="md" variant="default">
          Copy
        </CopyButton>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <a
          className="inline-flex items-center gap-1 text-accent underline underline-offset-2 wrap-anywhere"
          href={complete_url ?? verification_url}
          target="_blank"
          rel="noreferrer"
        >
          {verification_url} <ExternalLink size={12} aria-hidden />
        </a>
        <Button variant="ghost" onClick={() => void onEnd(undefined)}>
          Back
        </Button>
      </div>
      <p role="status" className="text-12 text-fg-3">
        {isOffline ? 'The service can’t be reached, trying again.' : `Waiting for ${appName}…`}
      </p>
    </div>
  );
}
