import type { ShadowOutcome } from '../../../../contract/states.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { OUTCOME_WORDS } from './shadow-queries.ts';

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
