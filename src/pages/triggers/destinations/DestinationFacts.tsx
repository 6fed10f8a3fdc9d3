import type { ReactNode } from 'react';
import type { Destination } from '../../../api/entities.ts';
import { countWords, disabledWords } from '../../../components/deliveries/destination-words.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Time } from '../../../ui/Time.tsx';

const WHY: Record<NonNullable<Destination['reason']>, string> = {
  MANUAL: 'Disabled manually.',
  GONE: `${disabledWords('GONE')}.`,
  FAILING: `${disabledWords('FAILING')}.`,
};

export interface DestinationNoticeProps {
  readonly triggerId: string;
  readonly destination: Destination;
  /** The button that enables the destination. */
  readonly enable: ReactNode;
}

/** Why the destination is paused or disabled, or will be disabled, and how to resolve it. */
export function DestinationNotice({ triggerId, destination, enable }: DestinationNoticeProps) {
  const { status, reason, failing_since, disable_at, warning, destination_id, missed, paused_at } = destination;
  if (status === 'DISABLED') {
    return (
      <Banner tone={reason === 'MANUAL' || reason === null ? 'warn' : 'bad'} action={enable}>
        {reason ? WHY[reason] : 'Disabled.'}{' '}
        {missed > 0
          ? `${countWords(missed, missed >= 10_000, 'event')} skipped since then. They are stored and can be replayed; see `
          : 'No event was skipped since then. See '}
        <Link className="link underline" to={`${path.trigger(triggerId)}?destination=${destination_id}&status=SKIPPED`}>
          its skipped events
        </Link>
        .
      </Banner>
    );
  }
  if (paused_at !== null) {
    return (
      <Banner tone="warn">
        Paused since <Time at={paused_at} as="full" />. Deliveries wait in the queue and are sent once it is resumed.
        See{' '}
        <Link className="link underline" to={`${path.trigger(triggerId)}?destination=${destination_id}&status=PENDING`}>
          its pending events
        </Link>
        .
      </Banner>
    );
  }
  if (failing_since === null) return null;
  return (
    <Banner tone={warning >= 70 ? 'bad' : 'warn'}>
      Every attempt has failed since <Time at={failing_since} as="full" />.{' '}
      {disable_at ? (
        <>
          Disabled automatically <Time at={disable_at} /> if this continues
          {warning > 0 ? `: ${warning} % of the time limit has passed` : ''}.{' '}
        </>
      ) : null}
      Diagnose the endpoint below to see which step fails.
    </Banner>
  );
}
