import type { Reply } from '../../api/operation.ts';
import { sentenceCase } from '../../lib/format.ts';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';

type Shadow = Reply<'shadowGet'>['shadow'];

/** The verdict of a shadow, or its status without one. */
export function ShadowChip({ shadow: { status, verdict } }: { shadow: Pick<Shadow, 'status' | 'verdict'> }) {
  if (verdict === 'PASSED')
    return (
      <Chip tone="ok" icon={statusIcons.succeeded}>
        Passed
      </Chip>
    );
  if (verdict === 'FAILED')
    return (
      <Chip tone="bad" icon={statusIcons.failed}>
        Failed
      </Chip>
    );
  return (
    <Chip
      tone={status === 'RUNNING' ? 'warn' : 'mute'}
      icon={status === 'RUNNING' ? statusIcons.retrying : statusIcons.pending}
    >
      {sentenceCase(verdict ?? status)}
    </Chip>
  );
}
