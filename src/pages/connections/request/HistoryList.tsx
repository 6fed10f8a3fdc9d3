import { RotateCw } from 'lucide-react';
import { formatDuration } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { cx } from '../../../ui/cx.ts';
import { Time } from '../../../ui/Time.tsx';
import type { Sent } from './history.ts';

export interface HistoryListProps {
  readonly sent: readonly Sent[];
  readonly onOpen: (sent: Sent) => void;
  readonly onSend: (sent: Sent) => void;
  readonly onClear: () => void;
  /** Why requests cannot be sent now. */
  readonly reason: string | undefined;
}

/** Recent requests of this browser. A click fills the form with a request; the button sends it again. */
export function HistoryList({ sent, onOpen, onSend, onClear, reason }: HistoryListProps) {
  if (sent.length === 0) {
    return (
      <p className="text-12 text-fg-3">
        Requests you send are listed here so that you can send them again. They are stored only in this browser.
      </p>
    );
  }
  return (
    <>
      <ul aria-label="Recent requests" className="grid max-h-80 overflow-y-auto rounded border border-line">
        {sent.map((each) => (
          <li
            key={each.id}
            className="flex items-center gap-1 border-b border-line pr-1 last:border-b-0 hover:bg-hover"
          >
            <button
              type="button"
              onClick={() => onOpen(each)}
              className="flex min-h-row min-w-0 flex-1 items-center gap-2 px-2 text-left text-12 focus-visible:-outline-offset-2"
            >
              <Time at={each.at} as="clock" className="text-fg-3" />
              <span className="data flex-none font-medium">{each.method}</span>
              <span className="data min-w-0 flex-1 truncate" title={each.path}>
                {each.path}
              </span>
              <span
                className={cx(
                  'data flex-none',
                  each.status !== null && each.status < 400 ? 'text-fg-2' : 'text-bad-fg',
                )}
              >
                {each.status ?? 'no response'}
              </span>
              <span className="data min-w-14 flex-none text-right text-fg-3 max-sm:hidden">
                {formatDuration(each.totalMs)}
              </span>
            </button>
            <IconButton
              icon={RotateCw}
              size="sm"
              label={`Send again: ${each.method} ${each.path}`}
              tip="Send again"
              reason={
                reason ??
                (each.leftOut.length > 0
                  ? `Its ${each.leftOut.join(' and ')} were not stored: open it first.`
                  : undefined)
              }
              onClick={() => onSend(each)}
            />
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-12 text-fg-3">
          Stored in this browser until you sign out, without long bodies and values that look like secrets.
        </span>
        <Button size="sm" variant="ghost" onClick={onClear}>
          Clear
        </Button>
      </div>
    </>
  );
}
