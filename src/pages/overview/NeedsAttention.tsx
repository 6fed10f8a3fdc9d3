import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useAttention } from '../../layouts/attention.ts';
import { latestFailedQuery, latestRetryingQuery } from './overview-queries.ts';

// most visits find no problem and never load it
const AttentionCards = lazy(() => import('./AttentionCards.tsx'));

/** Problems that need action, most severe first; one line if there are none. */
export function NeedsAttention() {
  const { connections, triggers, failing, open } = useAttention();
  const failed = useInfiniteQuery(latestFailedQuery).data?.pages[0]?.events ?? [];
  const events = failed.filter((event) => event.delivery_counts.failed > 0);
  const late = useInfiniteQuery(latestRetryingQuery).data?.pages[0]?.events ?? [];
  const retrying = late.filter(({ outcomes }) => outcomes.some(({ status }) => status === 'RETRYING'));
  const nothing = [open?.problems ?? [], connections, triggers, failing, events, retrying].every(
    (list) => list.length === 0,
  );
  return (
    <section aria-label="Needs attention" className="px-4 pb-4 max-sm:px-3">
      {nothing ? (
        <p className="text-fg-2">Nothing needs attention: no connection and no delivery has failed.</p>
      ) : (
        <Suspense fallback={<div aria-busy className="h-36" />}>
          <AttentionCards
            open={open}
            connections={connections}
            triggers={triggers}
            events={events}
            retrying={retrying}
          />
        </Suspense>
      )}
    </section>
  );
}
