import { useQuery } from '@tanstack/react-query';
import type { Replay } from '../../api/entities.ts';
import { useDestinationNames, useTriggerNames } from '../../components/events/use-event-places.ts';
import { Time } from '../../ui/Time.tsx';
import { aboutOf, aboutQuery } from './replay-about.ts';

function useAbout({ replay_id, gathering, total }: Replay) {
  const { data, isError } = useQuery({ ...aboutQuery(replay_id), enabled: !gathering && total > 0 });
  const triggers = useTriggerNames();
  const destinations = useDestinationNames();
  return { about: data && aboutOf(data, triggers, destinations), isRead: data !== undefined, isError };
}

/** The triggers and destinations of a replay. */
export function ReplayRoute({ replay }: { replay: Replay }) {
  const { about, isRead, isError } = useAbout(replay);
  if (about) return <span title={about.route}>{about.route}</span>;
  return <span className="text-fg-3">{why()}</span>;

  function why(): string {
    if (replay.gathering) return 'Collecting';
    if (replay.total === 0) return 'Nothing matched';
    if (isRead) return 'Past retention';
    return isError ? 'Could not be loaded' : '…';
  }
}

/** The number of events in a replay and the time of the oldest. */
export function ReplayEvents({ replay }: { replay: Replay }) {
  const { about } = useAbout(replay);
  if (!about) return null;
  return (
    <span className="min-w-0 truncate text-fg-2">
      {about.events} <Time at={about.oldest} as="clock" />
    </span>
  );
}
