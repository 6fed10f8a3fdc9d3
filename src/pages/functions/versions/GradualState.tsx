import { formatCount, plural } from '../../../lib/format.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import type { Gradual } from './GradualDialog.tsx';

/** The state of the gradual deploy of a version. */
export function GradualState({ gradual: { status, percent, calls, reason } }: { gradual: Gradual }) {
  const isRunning = status === 'RUNNING';
  const { version } = calls;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-12">
      <Chip tone={isRunning ? 'warn' : 'bad'} icon={isRunning ? statusIcons.retrying : statusIcons.failed}>
        {isRunning ? `${percent} % of calls` : 'Rolled back'}
      </Chip>
      <span className="min-w-0 wrap-anywhere text-fg-2">
        {isRunning ? `${plural(version.calls, 'call')}, ${formatCount(version.failed)} failed` : reason}
      </span>
    </div>
  );
}
