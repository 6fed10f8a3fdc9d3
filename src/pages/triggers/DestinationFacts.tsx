import type { ReactNode } from 'react';
import { DISABLE_AFTER_DAYS } from '../../../contract/limits.ts';
import type { Destination } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Time } from '../../ui/Time.tsx';

const WHY: Record<NonNullable<Destination['reason']>, string> = {
  MANUAL: 'It was disabled by hand.',
  GONE: 'It answered 410 Gone, which asks for nothing more, so it was disabled.',
  FAILING: `Every delivery to it failed for ${DISABLE_AFTER_DAYS} days, so it was disabled.`,
};

export interface DestinationNoticeProps {
  readonly triggerId: string;
  readonly destination: Destination;
  /** The button that mends it. */
  readonly enable: ReactNode;
}

/** Why nothing goes there now, or when that will be so, and what to do about it. */
export function DestinationNotice({ triggerId, destination, enable }: DestinationNoticeProps) {
  const { status, reason, failing_since, disable_at, warning, destination_id } = destination;
  if (status === 'DISABLED') {
    return (
      <Banner tone={reason === 'MANUAL' || reason === null ? 'warn' : 'bad'} action={enable}>
        {reason ? WHY[reason] : 'It is disabled.'} Events are kept with a skipped delivery; once it is enabled again
        they can be replayed from{' '}
        <Link className="link underline" to={`${path.trigger(triggerId)}?destination=${destination_id}&status=SKIPPED`}>
          its skipped events
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
          If that goes on it is disabled <Time at={disable_at} />
          {warning > 0 ? `: ${warning} % of the time is over` : ''}.{' '}
        </>
      ) : null}
      Run the doctor below to see where it ends.
    </Banner>
  );
}
