import type { ShadowOutcome } from '../../../../contract/states.ts';
import { sentenceCase } from '../../../lib/format.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { OUTCOME_WORDS, type Shadow } from './shadow-queries.ts';

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

/** What happened to a request with one version. */
export function OutcomeChip({ outcome, status }: { outcome: ShadowOutcome; status: number | null }) {
  const tone = outcome === 'SUCCESS' ? 'ok' : outcome === 'FAILURE' ? 'bad' : 'warn';
  const icon =
    outcome === 'SUCCESS' ? statusIcons.succeeded : outcome === 'FAILURE' ? statusIcons.failed : statusIcons.paused;
  return (
    <Chip tone={tone} icon={icon} data={status ?? undefined}>
      {OUTCOME_WORDS[outcome]}
    </Chip>
  );
}
