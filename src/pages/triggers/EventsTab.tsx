import { useInfiniteQuery } from '@tanstack/react-query';
import { Play, RotateCw } from 'lucide-react';
import type { Trigger } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';
import { EventFilterBar } from '../../components/events/EventFilterBar.tsx';
import { EventTable } from '../../components/events/EventTable.tsx';
import { useEventList } from '../../components/events/use-event-list.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { Time } from '../../ui/Time.tsx';
import type { useTestEvent } from './destinations/use-test-event.ts';

export interface EventsTabProps {
  readonly trigger: Trigger;
  readonly test: ReturnType<typeof useTestEvent>;
}

/** Offers a replay of the events that were skipped while the trigger or a destination was disabled. */
function ReplayMissed({ trigger: { trigger_id, status } }: { trigger: Trigger }) {
  const query = pages('eventList', { params: { trigger_id }, query: { status: 'SKIPPED', limit: 1 } });
  const missed = useInfiniteQuery(query).data?.pages[0]?.events ?? [];
  if (missed.length === 0 || status === 'DISABLED') return null;
  return (
    <p className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-12 text-fg-2 max-sm:px-3">
      Some events were skipped by a filter or transformation, or while the trigger or a destination was disabled.
      <LinkButton
        size="sm"
        icon={RotateCw}
        render={<Link to={`${path.trigger(trigger_id)}?status=SKIPPED&bulk=all`} />}
      >
        Replay missed…
      </LinkButton>
    </p>
  );
}

/** The events of the trigger. */
export function EventsTab({ trigger, test }: EventsTabProps) {
  const events = useEventList(trigger.trigger_id);
  const { list } = events;
  return (
    <>
      <ReplayMissed trigger={trigger} />
      <div className="flex-none pt-2">
        <EventFilterBar events={events}>
          <LivePill count={list.waiting} more={list.waitingMore} noun="events" onShow={list.show} />
        </EventFilterBar>
      </div>
      <EventTable
        events={events}
        empty={
          <EmptyState
            title="No events yet"
            actions={
              <Button variant="primary" icon={Play} reason={test.reason} pending={test.pending} onClick={test.send}>
                Send a test event
              </Button>
            }
          >
            {trigger.next_fire_at ? (
              <>
                The schedule fires next <Time at={trigger.next_fire_at} className="text-fg" />. A test event is
                delivered like any other and shows whether the destinations respond.
              </>
            ) : (
              'A test event is delivered like any other and shows whether the destinations respond.'
            )}
          </EmptyState>
        }
      />
    </>
  );
}
