import type { DeliveryStatus } from '../../../contract/states.ts';
import type { Outcome } from '../../api/entities.ts';
import { sentenceCase } from '../../lib/format.ts';
import { DeliveryChip } from '../status.tsx';

/** The order of outcomes: problems first. */
const RANK: Record<DeliveryStatus, number> = {
  FAILED: 0,
  RETRYING: 1,
  PENDING: 2,
  CANCELED: 3,
  SKIPPED: 4,
  SUCCEEDED: 5,
};
/** The number of outcomes shown by name; the rest are counted. */
const TROUBLED_MAX = 2;
const GOOD_MAX = 2;

/** The outcome at one destination: a tick and its name, or a chip with status, name and last response. */
export function OutcomeChip({ outcome }: { outcome: Outcome }) {
  const { status, destination_name, last_response_status } = outcome;
  const code = status === 'SUCCEEDED' || status === 'SKIPPED' ? null : last_response_status;
  return <DeliveryChip status={status} quietName={destination_name} name={destination_name} data={code ?? undefined} />;
}

/** The outcomes of an event by destination, worst first; only the worst in two-line rows. */
export function OutcomeChips({ outcomes }: { outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return <span className="text-12 text-fg-3">no destinations</span>;
  const ordered = outcomes.toSorted((a, b) => RANK[a.status] - RANK[b.status]);
  const troubled = ordered.filter(({ status }) => status !== 'SUCCEEDED');
  const good = ordered.slice(troubled.length);
  const byName = good.length <= (troubled.length > 0 ? 1 : GOOD_MAX);
  return (
    <span
      title={ordered.map((each) => `${each.destination_name}: ${sentenceCase(each.status)}`).join('\n')}
      className="flex min-w-0 items-center gap-2 overflow-hidden @max-[560px]/list:[&>*:not(:first-child)]:hidden"
    >
      {troubled.slice(0, TROUBLED_MAX).map((outcome, index) => (
        <span
          key={outcome.delivery_id}
          className={index > 0 ? 'flex min-w-0 @max-[760px]/list:hidden' : 'flex min-w-0'}
        >
          <OutcomeChip outcome={outcome} />
        </span>
      ))}
      {(byName ? good : []).map((outcome) => (
        <OutcomeChip key={outcome.delivery_id} outcome={outcome} />
      ))}
      {troubled.length > TROUBLED_MAX ? (
        <span className="flex-none text-12 text-fg-3 @max-[760px]/list:hidden">
          {troubled.length - TROUBLED_MAX} more
        </span>
      ) : null}
      {troubled.length > 1 ? (
        <span className="hidden flex-none text-12 text-fg-3 @max-[760px]/list:inline">{troubled.length - 1} more</span>
      ) : null}
      {byName ? null : <DeliveryChip status="SUCCEEDED" quietName={`${good.length} destinations`} />}
    </span>
  );
}
