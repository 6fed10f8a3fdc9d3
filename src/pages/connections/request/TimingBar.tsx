import { type Ink, inkCss } from '../../../charts/inks.ts';
import { formatDuration } from '../../../lib/format.ts';
import { type Phase, phasesOf, type SendResult } from './response.ts';

const INK: Record<Phase['name'], Ink> = {
  Connecting: { token: 'mute-solid' },
  Waiting: { token: 'chart-1' },
  Receiving: { token: 'ok-solid' },
};

/** The phases of a request's duration, as a bar and as text. */
export function TimingBar({ timing }: { timing: SendResult['timing'] }) {
  const phases = phasesOf(timing);
  return (
    <div>
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-sm bg-sunken">
        {phases.map(({ name, ms }) => (
          <i key={name} style={{ flexGrow: ms, background: inkCss(INK[name]) }} className="ui-ink min-w-px" />
        ))}
      </div>
      <ul aria-label="Timing" className="mt-1.5 flex flex-wrap gap-x-4 text-12 text-fg-2">
        {phases.map(({ name, ms }) => (
          <li key={name} className="flex items-center gap-1.5 whitespace-nowrap">
            <i aria-hidden className="ui-ink size-2 rounded-[2px]" style={{ background: inkCss(INK[name]) }} />
            {name} <span className="data text-fg">{formatDuration(ms)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
