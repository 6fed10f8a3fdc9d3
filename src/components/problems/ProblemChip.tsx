import type { ProblemState } from '../../../contract/states.ts';
import { sentenceCase } from '../../lib/format.ts';
import { Chip, statusIcons, type Tone } from '../../ui/controls/Chip.tsx';
import type { Icon } from '../../ui/icon.ts';

const LOOK: Record<ProblemState, { tone: Tone; icon: Icon }> = {
  OPEN: { tone: 'bad', icon: statusIcons.failed },
  ACKNOWLEDGED: { tone: 'warn', icon: statusIcons.pending },
  IGNORED: { tone: 'mute', icon: statusIcons.paused },
  RESOLVED: { tone: 'ok', icon: statusIcons.succeeded },
};

export function ProblemChip({ state }: { state: ProblemState }) {
  const { tone, icon } = LOOK[state];
  return (
    <Chip tone={tone} icon={icon}>
      {sentenceCase(state)}
    </Chip>
  );
}
