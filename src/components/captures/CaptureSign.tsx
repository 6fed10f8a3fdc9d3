import { Disc } from 'lucide-react';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import { formatAbsolute, formatClock } from '../../lib/format.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { Button } from '../../ui/controls/Button.tsx';
import type { Capture } from './capture-words.ts';

export interface CaptureSignProps {
  readonly capture: Capture;
  /** "Ledger", the name of the connection or app. */
  readonly name: string;
}

/** Says that bodies are captured, and stops it. */
export function CaptureSign({ capture: { capture_id, until, percent, created_by }, name }: CaptureSignProps) {
  const [zone] = usePreference(timeZone);
  const reason = useReason('captureDelete');
  const { mutate, isPending } = useApiMutation('captureDelete', {
    failure: 'The capture was not stopped',
    invalidates: ['captureList'],
  });
  const end = new Date(until);
  const isToday = formatAbsolute(end, zone).slice(0, 10) === formatAbsolute(new Date(), zone).slice(0, 10);
  const time = isToday ? formatClock(end, zone).slice(0, 5) : formatAbsolute(end, zone).slice(0, 16);
  return (
    <p
      role="status"
      className="mx-4 mb-2 flex flex-none flex-wrap items-center gap-x-2 gap-y-1 rounded border border-warn-line bg-warn-bg px-3 py-1 text-12 text-warn-fg max-sm:mx-3"
    >
      <Disc size={14} strokeWidth={2} className="flex-none" aria-hidden />
      <span className="min-w-0 flex-1 wrap-anywhere">
        Bodies of {name} are captured until {time}
        {percent === 100 ? '' : `, for ${percent} % of the calls`}. Started by {created_by}.
      </span>
      <Button size="sm" pending={isPending} reason={reason} onClick={() => mutate({ params: { capture_id } })}>
        Stop<span className="sr-only"> capture of {name}</span>
      </Button>
    </p>
  );
}
