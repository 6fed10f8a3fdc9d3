/** Loaded on demand, with the cron parser. */
import { toString as inWords } from 'cronstrue';
import { useMemo } from 'react';
import { useNow } from '../../../hooks/use-now.ts';
import { Time } from '../../../ui/Time.tsx';
import { previewOf } from './schedule-preview.ts';

const MINUTE_MS = 60_000;

function wordsOf(expression: string): string | undefined {
  try {
    return inWords(expression, { use24HourTimeFormat: true, verbose: true });
  } catch {
    return undefined;
  }
}

export interface SchedulePreviewProps {
  readonly expression: string;
  readonly timezone: string;
}

/** The schedule in words, and its next ten firings. */
export default function SchedulePreview({ expression, timezone }: SchedulePreviewProps) {
  const minute = Math.floor(useNow(10_000) / MINUTE_MS);
  const preview = useMemo(
    () => previewOf(expression, timezone, new Date(minute * MINUTE_MS)),
    [expression, timezone, minute],
  );
  if (!preview.ok) {
    return (
      <p role="status" className="text-12 text-fg-2">
        {preview.message}
      </p>
    );
  }
  return (
    <div>
      <p role="status" className="font-medium">
        {wordsOf(expression)}
        {timezone === 'UTC' ? ', UTC' : `, ${timezone} time`}
      </p>
      <ol aria-label="Next ten firings" className="mt-2 grid gap-x-6 text-12/5 sm:grid-flow-col sm:grid-rows-5">
        {preview.firings.map(({ at, local, note }) => (
          <li key={at.toISOString()} className="min-w-0">
            <span className="flex items-baseline gap-2">
              <span className="data">{local}</span>
              <Time at={at.toISOString()} className="text-fg-3" />
            </span>
            {note ? <span className="block text-warn-fg">{note}</span> : null}
          </li>
        ))}
      </ol>
    </div>
  );
}
