import { useInfiniteQuery } from '@tanstack/react-query';
import type { EventDetail } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';
import { middleCut, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Time } from '../../ui/Time.tsx';
import { OutcomeChips } from '../events/OutcomeChips.tsx';
import { Link } from '../Link.tsx';

/** The events created from this one by Edit and resend. Most events have none. */
export function EditedCopies({ event: { event_id } }: { event: EventDetail }) {
  const copies = useInfiniteQuery(pages('eventListAll', { query: { replay_of: event_id } }));
  const events = copies.data?.pages.flatMap((page) => page.events) ?? [];
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="edited-copies" className="border-b border-line px-4 py-2">
      <h3 id="edited-copies" className="text-12 font-medium text-fg-2">
        {copies.hasNextPage
          ? `More than ${events.length} edited copies`
          : plural(events.length, 'edited copy', 'edited copies')}
      </h3>
      <ul>
        {events.map((copy) => (
          <li key={copy.event_id} className="flex min-h-7 flex-wrap items-center gap-x-3 text-12">
            <Link className="link data" to={path.event(copy.trigger_id, copy.event_id)}>
              {middleCut(copy.event_id)}
            </Link>
            <Time at={copy.received_at} />
            <OutcomeChips outcomes={copy.outcomes} />
          </li>
        ))}
      </ul>
    </section>
  );
}
