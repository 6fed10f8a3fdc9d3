import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { PAGE, RETRY_SCHEDULE_SECONDS } from '../../../contract/limits.ts';
import { toApiError } from '../../api/api-error.ts';
import type { Attempt, Delivery } from '../../api/entities.ts';
import { pages, q } from '../../api/queries.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RetryRail } from '../../ui/RetryRail.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import type { EventIds } from '../replays/use-replay.ts';
import { AttemptRow } from './AttemptRow.tsx';
import { currentRound, resultOf, succeeded } from './delivery-words.ts';

const JITTER = 0.2;

export interface DeliveryAttemptsProps {
  readonly event: EventIds;
  readonly delivery: Delivery;
  /** Whether its destination still exists, to fetch its retry schedule. */
  readonly hasDestination: boolean;
}

/** The position of a delivery in its retry schedule, and its attempts, newest first. */
export function DeliveryAttempts({ event, delivery, hasDestination }: DeliveryAttemptsProps) {
  const { trigger_id, event_id } = event;
  const query = pages('attemptList', {
    params: { trigger_id, event_id, delivery_id: delivery.delivery_id },
    query: { limit: PAGE.attempts.max },
  });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query);
  const attempts = useMemo(() => data?.pages.flatMap((page) => page.attempts), [data]);
  if (!attempts) {
    if (!error) return <SkeletonLines lines={3} />;
    const { message, requestId } = toApiError(error);
    return (
      <ErrorState
        title="The attempts could not be loaded"
        detail={message}
        requestId={requestId}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      {hasNextPage ? null : (
        <Rail attempts={attempts} delivery={delivery} triggerId={trigger_id} hasDestination={hasDestination} />
      )}
      {hasNextPage ? (
        <div className="px-4 pb-2">
          <Button size="sm" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show later attempts
          </Button>
        </div>
      ) : null}
      {attempts.length > 0 ? (
        <Attempts attempts={attempts} />
      ) : delivery.status === 'PENDING' && delivery.waits_for_event_id === null && hasDestination ? (
        <Waiting triggerId={trigger_id} destinationId={delivery.destination_id} />
      ) : null}
    </>
  );
}

/** Explains why a delivery has no attempt yet: the circuit breaker of its destination is open. */
function Waiting({ triggerId, destinationId }: { triggerId: string; destinationId: string }) {
  const params = { trigger_id: triggerId, destination_id: destinationId };
  const failingSince = useQuery(q('destinationGet', { params })).data?.destination.failing_since;
  if (!failingSince) return null;
  return (
    <p className="px-4 pb-3 text-12 text-fg-2">
      No attempts yet. Attempts to this destination have failed since <Time at={failingSince} as="clock" />, so its
      circuit breaker is open and only probes are sent. Replay sends this delivery now.
    </p>
  );
}

interface RailProps {
  readonly attempts: readonly Attempt[];
  readonly delivery: Delivery;
  readonly triggerId: string;
  readonly hasDestination: boolean;
}

function Rail({ attempts, delivery, triggerId, hasDestination }: RailProps) {
  const made = currentRound(attempts);
  const waiting = delivery.next_attempt_at;
  const open = delivery.status === 'RETRYING' || (delivery.status === 'PENDING' && made.length > 0);
  const worth = made.length >= 2 || open;
  const { destination_id } = delivery;
  const { data, isPending } = useQuery({
    ...q('destinationGet', { params: { trigger_id: triggerId, destination_id } }),
    enabled: worth && hasDestination,
  });
  // a single successful attempt needs no rail
  if (!worth || (hasDestination && isPending)) return null;
  const waits = (data?.destination.retry_schedule ?? RETRY_SCHEDULE_SECONDS).map((seconds) => seconds * 1_000);
  const waitMs = waits[made.length - 1];
  return (
    <div className="px-4 pb-3">
      <RetryRail
        made={made.map((attempt) => ({ ok: succeeded(attempt), result: resultOf(attempt) }))}
        waitsMs={open ? waits : waits.slice(0, made.length - 1)}
        nextAt={open ? waiting : null}
        jitterMs={waitMs === undefined ? undefined : waitMs * JITTER}
      />
    </div>
  );
}

const defaults = { attempt: '', side: 'response' };

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const [url, setUrl] = useUrlState(defaults);
  // the expanded attempt stays expanded when newer ones appear above it
  const [first] = useState(() => String(attempts.at(-1)?.number));
  const openNumber = url.attempt || first;
  return (
    <ol aria-label="Attempts, newest first" className="border-b border-line">
      {attempts.toReversed().map((attempt) => {
        const number = String(attempt.number);
        const open = number === openNumber;
        return (
          <AttemptRow
            key={number}
            attempt={attempt}
            open={open}
            side={url.side === 'request' ? 'request' : 'response'}
            onToggle={() => setUrl({ attempt: open ? 'none' : number })}
            onSide={(side) => setUrl({ side })}
          />
        );
      })}
    </ol>
  );
}
