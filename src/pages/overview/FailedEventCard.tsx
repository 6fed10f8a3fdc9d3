import { useQuery } from '@tanstack/react-query';
import { RotateCcw, X } from 'lucide-react';
import { PAGE } from '../../../contract/limits.ts';
import { mayReplay } from '../../../contract/states.ts';
import type { EventRow } from '../../api/entities.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { useReplay } from '../../components/replays/use-replay.ts';
import { DeliveryChip } from '../../components/status.tsx';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { AttentionCard } from './AttentionCard.tsx';

/** Failed deliveries listed; the rest is a count. */
const CHIPS_MAX = 3;

/** Why a replay would send nothing: no failed delivery has an enabled destination. */
function useNowhere({ trigger_id, outcomes }: EventRow): string | undefined {
  const trigger = useQuery(newestTriggersQuery).data?.triggers.find((one) => one.trigger_id === trigger_id);
  if (!trigger) return undefined;
  const verdicts = outcomes
    .filter(({ status }) => status === 'FAILED')
    .map((outcome) => mayReplay(trigger.destinations.find((one) => one.destination_id === outcome.destination_id)));
  const [refused] = verdicts.filter((verdict) => !verdict.can);
  return refused && verdicts.every((verdict) => !verdict.can) ? refused.reason : undefined;
}

/** The newest event with a failed delivery, with a one-click replay. */
export function FailedEventCard({ event, others }: { event: EventRow; others: number }) {
  const { replay, reason, pending } = useReplay();
  const nowhere = useNowhere(event);
  const { trigger_id, event_id } = event;
  const params = { trigger_id, event_id };
  const body = { only_failed: true };
  const dead = event.outcomes.filter(({ status }) => status === 'FAILED');
  const known = others < PAGE.events.default - 1;
  return (
    <AttentionCard
      tone="bad"
      icon={X}
      kind="Delivery failed"
      aside={<Time at={event.received_at} />}
      title={`${event.event_type} · ${event.trigger_name}`}
      actions={
        <>
          <Button
            variant="primary"
            icon={RotateCcw}
            reason={reason ?? nowhere}
            pending={pending}
            onClick={() => replay(params, body)}
          >
            Replay failed
          </Button>
          {others > 0 ? (
            <LinkButton render={<Link to={path.events({ status: 'FAILED', bulk: 'all' })} />}>
              {known ? `Replay all ${others + 1}…` : 'Replay all…'}
            </LinkButton>
          ) : null}
          <LinkButton variant="ghost" render={<Link to={path.event(trigger_id, event_id)} />}>
            Open event
          </LinkButton>
          <CopyAsCurl text={() => curlText('eventReplay', { params, body })} what="replay this event" />
        </>
      }
    >
      <span className="flex flex-wrap items-center gap-1.5">
        {dead.slice(0, CHIPS_MAX).map((outcome) => (
          <DeliveryChip
            key={outcome.delivery_id}
            status={outcome.status}
            data={`${outcome.destination_name} ${outcome.last_response_status ?? ''}`.trim()}
          />
        ))}
        {dead.length > CHIPS_MAX ? `and ${plural(dead.length - CHIPS_MAX, 'more destination')} ` : null}
        after {plural(Math.max(...dead.map(({ attempts }) => attempts), 0), 'attempt')}.
      </span>
      {others > 0 ? (
        <Link className="link" to={path.events({ status: 'FAILED' })}>
          {known ? plural(others, 'more event') : 'Many more events'} with failed deliveries
        </Link>
      ) : null}
    </AttentionCard>
  );
}
