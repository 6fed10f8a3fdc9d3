import { useQuery } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { DeliveryChip } from '../../../components/status.tsx';
import { path } from '../../../lib/path.ts';

export interface TestOutcomeProps {
  readonly triggerId: string;
  readonly eventId: string;
  readonly destinationId: string;
}

/** The outcome of a test event at one destination, updated live. */
export function TestOutcome({ triggerId, eventId, destinationId }: TestOutcomeProps) {
  const params = { trigger_id: triggerId, event_id: eventId };
  const event = useQuery(q('eventGet', { params })).data?.event;
  const delivery = event?.deliveries.find((each) => each.destination_id === destinationId);
  return (
    <span className="flex items-center gap-2">
      {delivery ? (
        <DeliveryChip status={delivery.status} data={delivery.last_response_status ?? undefined} />
      ) : (
        'Sending…'
      )}
      <Link className="link inline-flex min-h-6 items-center" to={path.triggerEvent(triggerId, eventId)}>
        Open event
      </Link>
    </span>
  );
}
