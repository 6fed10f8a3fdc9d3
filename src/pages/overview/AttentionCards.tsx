import { useQuery } from '@tanstack/react-query';
import { CircleSlash, RotateCw, TriangleAlert, Unlink } from 'lucide-react';
import { useMemo } from 'react';
import { PAGE } from '../../../contract/limits.ts';
import type { Connection, DestinationSummary, EventRow, Trigger } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { isFailing, newestTriggersQuery } from '../../layouts/attention.ts';
import { plural, sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { AttentionCard } from './AttentionCard.tsx';
import { FailedEventCard } from './FailedEventCard.tsx';
import { type FailingDestination, failingDestinations, triggerStatsQuery } from './failing-destinations.ts';
import type { RetryingDestination } from './retrying-destinations.ts';

/** More of a kind than this, and the list says it better. */
const CARDS_MAX = 3;

export interface AttentionCardsProps {
  connections: readonly Connection[];
  triggers: readonly Trigger[];
  /** With deliveries that failed for good, newest first. */
  events: readonly EventRow[];
  retrying: readonly RetryingDestination[];
}

/** A card for each thing that waits for a person, with the one thing to do about it. */
export default function AttentionCards({ connections, triggers, events, retrying }: AttentionCardsProps) {
  const [newest] = events;
  const failing = useFailingDestinations();
  const waiting = retrying.filter(({ destinationId }) => !failing.some((each) => each.destinationId === destinationId));
  return (
    <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {newest ? <FailedEventCard event={newest} others={events.length - 1} /> : null}
      {connections.slice(0, CARDS_MAX).map((connection) => (
        <ConnectionCard key={connection.connection_id} connection={connection} />
      ))}
      {triggers.slice(0, CARDS_MAX).map((trigger) => (
        <TriggerCard key={trigger.trigger_id} trigger={trigger} />
      ))}
      {failing.slice(0, CARDS_MAX).map((destination) => (
        <FailingCard
          key={destination.destinationId}
          destination={destination}
          waiting={retrying.find(({ destinationId }) => destinationId === destination.destinationId)}
        />
      ))}
      {failing.length > CARDS_MAX ? (
        <p className="self-center px-4 text-fg-2">
          {plural(failing.length - CARDS_MAX, 'more destination')} failing:{' '}
          <Link className="link underline underline-offset-2" to={path.triggers()}>
            see all triggers
          </Link>
        </p>
      ) : null}
      {waiting.slice(0, CARDS_MAX).map((destination) => (
        <RetryingCard key={destination.destinationId} destination={destination} />
      ))}
    </div>
  );
}

function useFailingDestinations(): readonly FailingDestination[] {
  const stats = useQuery(triggerStatsQuery).data;
  const triggers = useQuery(newestTriggersQuery).data?.triggers;
  return useMemo(() => (stats && triggers ? failingDestinations(stats, triggers) : []), [stats, triggers]);
}

/** The service keeps why a connection failed in its metadata. */
function failureOf({ metadata }: Connection): { message: string; since: string | null } {
  const failure = metadata['failure'];
  if (typeof failure !== 'object' || failure === null) return { message: 'It no longer works.', since: null };
  const message = 'message' in failure && typeof failure.message === 'string' ? failure.message : 'It no longer works.';
  const since = 'since' in failure && typeof failure.since === 'string' ? failure.since : null;
  return { message, since };
}

function ConnectionCard({ connection }: { connection: Connection }) {
  const { message, since } = failureOf(connection);
  return (
    <AttentionCard
      tone="bad"
      icon={Unlink}
      kind="Connection failed"
      aside={since ? <Time at={since} /> : undefined}
      title={connection.name ? `${connection.app} · ${connection.name}` : connection.app}
      actions={<LinkButton render={<Link to={path.connection(connection.connection_id)} />}>Reconnect</LinkButton>}
    >
      {message}
    </AttentionCard>
  );
}

interface FailingCardProps {
  readonly destination: FailingDestination;
  /** What waits for it, where something does. */
  readonly waiting: RetryingDestination | undefined;
}

function FailingCard({ destination, waiting }: FailingCardProps) {
  const { triggerId, destinationId, name, triggerName, since, disableAt } = destination;
  return (
    <AttentionCard
      tone="warn"
      icon={TriangleAlert}
      kind="Destination failing"
      aside={waiting ? answerWords(waiting) : undefined}
      title={`${name} · ${triggerName}`}
      actions={
        <>
          <LinkButton render={<Link to={path.destination(triggerId, destinationId)} />}>Open destination</LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ trigger: triggerId })} />}>
            Open events
          </LinkButton>
        </>
      }
    >
      Every attempt has failed since <Time at={since} as="clock" />. It is turned off by itself <Time at={disableAt} />
      {waiting ? `; ${eventsWait(waiting)}` : ''}.
    </AttentionCard>
  );
}

const answerWords = ({ lastStatus }: RetryingDestination) =>
  lastStatus === null ? 'no answer' : `answers ${lastStatus}`;

/** Only a page of them was looked at. */
function eventsWait({ events }: RetryingDestination): string {
  const counted = events < PAGE.events.default ? plural(events, 'event') : `${events} or more events`;
  return `${counted} ${events === 1 ? 'waits' : 'wait'} for the next attempt`;
}

function RetryingCard({ destination }: { destination: RetryingDestination }) {
  const { triggerId, destinationId, name, triggerName } = destination;
  return (
    <AttentionCard
      tone="warn"
      icon={RotateCw}
      kind="Destination retrying"
      aside={answerWords(destination)}
      title={`${name} · ${triggerName}`}
      actions={
        <>
          <LinkButton render={<Link to={path.destination(triggerId, destinationId)} />}>Open destination</LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ status: 'RETRYING', trigger: triggerId })} />}>
            Open events
          </LinkButton>
        </>
      }
    >
      {eventsWait(destination)}. Attempts go on by themselves.
    </AttentionCard>
  );
}

const WHY: Record<NonNullable<Trigger['reason']>, string> = {
  CONNECTION_FAILED: 'Its connection failed, so no events come in.',
  CONNECTION_DELETED: 'Its connection was deleted, so no events come in.',
  SOURCE_REJECTED: 'The source app refused it, so no events come in.',
};

/** Why the service turned them off. */
function offWords(off: readonly DestinationSummary[]): string {
  const gone = off.every(({ reason }) => reason === 'GONE');
  const which = off.length === 1 ? 'It' : plural(off.length, 'destination');
  const why = gone ? 'answered 410 Gone' : 'only failed for days';
  return `${which} ${why}, so no more is sent there. Its events are kept as skipped and can be replayed.`;
}

function TriggerCard({ trigger }: { trigger: Trigger }) {
  const off = trigger.destinations.filter(isFailing);
  const [first] = off;
  return (
    <AttentionCard
      tone="warn"
      icon={CircleSlash}
      kind={trigger.reason ? 'Trigger stopped' : 'Destination turned off'}
      aside={first?.reason ? sentenceCase(first.reason) : undefined}
      title={first && !trigger.reason ? `${first.name} · ${trigger.name}` : trigger.name}
      actions={
        <>
          <LinkButton
            render={
              <Link
                to={
                  first && !trigger.reason
                    ? path.destination(trigger.trigger_id, first.destination_id)
                    : path.trigger(trigger.trigger_id)
                }
              />
            }
          >
            {first && !trigger.reason ? 'Open destination' : 'Open trigger'}
          </LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ trigger: trigger.trigger_id })} />}>
            Events
          </LinkButton>
        </>
      }
    >
      {trigger.reason ? WHY[trigger.reason] : offWords(off)}
    </AttentionCard>
  );
}
