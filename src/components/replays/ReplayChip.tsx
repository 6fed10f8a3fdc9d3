import type { ReplayStatus } from '../../../contract/states.ts';
import { sentenceCase } from '../../lib/format.ts';
import { Chip, statusIcons, type Tone } from '../../ui/controls/Chip.tsx';
import type { Icon } from '../../ui/icon.ts';

const LOOK: Record<ReplayStatus, { tone: Tone; icon: Icon }> = {
  RUNNING: { tone: 'warn', icon: statusIcons.retrying },
  PAUSED: { tone: 'mute', icon: statusIcons.pending },
  COMPLETED: { tone: 'ok', icon: statusIcons.succeeded },
  CANCELED: { tone: 'mute', icon: statusIcons.disabled },
  STOPPED: { tone: 'bad', icon: statusIcons.failed },
};

export function ReplayChip({ status }: { status: ReplayStatus }) {
  const { tone, icon } = LOOK[status];
  return (
    <Chip tone={tone} icon={icon}>
      {sentenceCase(status)}
    </Chip>
  );
}
