import { RETRY_SCHEDULE_SECONDS } from '../../../contract/limits.ts';
import type { Destination } from '../../api/entities.ts';
import { formatSpan } from '../../lib/format.ts';
import { PanelSection } from '../../ui/Panel.tsx';

const WHY: Record<NonNullable<Destination['reason']>, string> = {
  MANUAL: 'It was disabled by hand.',
  GONE: 'It answered 410 Gone, which asks for nothing more, so it was disabled.',
  FAILING: 'Deliveries to it only failed for days, so it was disabled.',
};

/** Why nothing goes there now, and what becomes of the events. */
export function DisabledNotice({ status, reason }: Destination) {
  if (status === 'ENABLED') return null;
  return (
    <PanelSection>
      <p className="text-fg-2">
        {reason ? WHY[reason] : 'It is disabled.'} Events are kept with a skipped delivery; once it is enabled again
        they can be replayed.
      </p>
    </PanelSection>
  );
}

const TOTAL_MS = RETRY_SCHEDULE_SECONDS.reduce((sum, seconds) => sum + seconds * 1_000, 0);

/** How often it is tried. */
export function RetryFacts() {
  return (
    <PanelSection
      title="Retries"
      note={`${RETRY_SCHEDULE_SECONDS.length + 1} attempts over ${formatSpan(TOTAL_MS)}, each wait ± 20 %`}
    >
      <p className="data wrap-anywhere text-fg-2">
        {RETRY_SCHEDULE_SECONDS.map((seconds) => formatSpan(seconds * 1_000)).join(' · ')}
      </p>
    </PanelSection>
  );
}
