import { useQuery } from '@tanstack/react-query';
import { CircleSlash, RotateCw, TriangleAlert, Unlink } from 'lucide-react';
import { useMemo } from 'react';
import type { Connection, DestinationSummary, EventRow, Trigger } from '../../api/entities.ts';
import { useAppNames } from '../../components/apps/app-names.ts';
import { REASON_DETAILS } from '../../components/apps/trigger-words.ts';
import {
  countWords,
  type DestinationQueue,
  disabledWords,
  queueWords,
} from '../../components/deliveries/destination-words.ts';
import { Link } from '../../components/Link.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { type Attention, isFailing, newestTriggersQuery } from '../../layouts/attention.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { AttentionCard } from './AttentionCard.tsx';
import { FailedEventCard } from './FailedEventCard.tsx';
import { type FailingDestination, failingDestinations } from './failing-destinations.ts';
import { triggerStatsQuery } from './overview-queries.ts';
import { ProblemList } from './ProblemList.tsx';
import { type RetryingDestination, retryingDestinations } from './retrying-destinations.ts';

/** Cards per kind; the rest is a link to the list. */
const CARDS_MAX = 3;

export interface AttentionCardsProps {
  /** Open problems; undefined until loaded. */
  open: Attention['open'];
  connections: readonly Connection[];
  triggers: readonly Trigger[];
  /** Events with exhausted deliveries, newest first. */
  events: readonly EventRow[];
  /** Events with a delivery that is retried. */
  retrying: readonly EventRow[];
}

/** One card per problem that needs action, each with its one action. */
export default function AttentionCards({ open, connections, triggers, events, retrying: late }: AttentionCardsProps) {
  const retrying = retryingDestinations(late);
  const [newest] = events;
  const nameOf = useAppNames();
  const failing = useFailingDestinations();
  const queues = useQueues();
  const behind = useBehind(retrying);
  const waiting = [...retrying, ...behind].filter(
    ({ destinationId }) => !failing.some((each) => each.destinationId === destinationId),
  );
  return (
    <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {open && open.open_count > 0 ? <ProblemList open={open} /> : null}
      {newest ? <FailedEventCard event={newest} others={events.length - 1} /> : null}
      {connections.slice(0, CARDS_MAX).map((connection) => (
        <ConnectionCard key={connection.connection_id} connection={connection} appName={nameOf(connection.app)} />
      ))}
      {triggers.slice(0, CARDS_MAX).map((trigger) => (
        <TriggerCard key={trigger.trigger_id} trigger={trigger} />
      ))}
      {failing.slice(0, CARDS_MAX).map((destination) => (
        <FailingCard
          key={destination.destinationId}
          destination={destination}
          waiting={retrying.find(({ destinationId }) => destinationId === destination.destinationId)}
          queue={queues.get(destination.destinationId)}
        />
      ))}
      {waiting.slice(0, CARDS_MAX).map((destination) => (
        <RetryingCard
          key={destination.destinationId}
          destination={destination}
          queue={queues.get(destination.destinationId)}
        />
      ))}
      <More
        of={[
          [connections.length, 'unhealthy connection', path.connections({ health: 'attention' })],
          [triggers.length, 'stopped trigger or disabled destination', path.triggers()],
          [failing.length, 'failing destination', path.triggers({ health: 'failing' })],
          [waiting.length, 'destination with waiting deliveries', path.triggers()],
        ]}
      />
    </div>
  );
}

type Kind = [count: number, noun: string, list: string];

/** Links to the problems of each kind that have no card. */
function More({ of }: { of: readonly Kind[] }) {
  const more = of.filter(([count]) => count > CARDS_MAX);
  if (more.length === 0) return null;
  return (
    <p className="col-span-full flex flex-wrap gap-x-6 gap-y-1">
      {more.map(([count, noun, list]) => (
        <Link key={noun} className="link inline-flex min-h-6 items-center underline underline-offset-2" to={list}>
          {plural(count - CARDS_MAX, `more ${noun}`)}
        </Link>
      ))}
    </p>
  );
}

function useFailingDestinations(): readonly FailingDestination[] {
  const stats = useQuery(triggerStatsQuery).data;
  const triggers = useQuery(newestTriggersQuery).data?.triggers;
  return useMemo(() => (stats && triggers ? failingDestinations(stats, triggers) : []), [stats, triggers]);
}

/** The service stores the cause of a failed connection in its metadata. */
function failureOf({ metadata }: Connection): { message: string; since: string | null } {
  const failure = metadata['failure'];
  if (typeof failure !== 'object' || failure === null)
    return { message: 'The connection no longer works.', since: null };
  const message =
    'message' in failure && typeof failure.message === 'string' ? failure.message : 'The connection no longer works.';
  const since = 'since' in failure && typeof failure.since === 'string' ? failure.since : null;
  return { message, since };
}

function ConnectionCard({ connection, appName }: { connection: Connection; appName: string }) {
  const failure = failureOf(connection);
  const [first] = connection.attention;
  return (
    <AttentionCard
      tone={failure ? 'bad' : 'warn'}
      icon={Unlink}
      kind={failure ? 'Connection failed' : 'Connection needs attention'}
      aside={failure?.since ? <Time at={failure.since} /> : undefined}
      title={connection.name ? `${appName} · ${connection.name}` : appName}
      actions={
        <LinkButton render={<Link to={path.connection(connection.connection_id)} />}>
          {failure ? 'Reconnect' : 'Open connection'}
        </LinkButton>
      }
    >
      {failure?.message ?? first?.message}
    </AttentionCard>
  );
}

interface FailingCardProps {
  readonly destination: FailingDestination;
  /** Its waiting deliveries, if any. */
  readonly waiting: RetryingDestination | undefined;
  readonly queue: DestinationQueue | undefined;
}

function FailingCard({ destination, waiting, queue }: FailingCardProps) {
  const nowMs = useNow(AGE_MS);
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
          <LinkButton
            variant="ghost"
            render={
              <Link
                to={path.events({ trigger: triggerId, destination: destinationId, status: 'FAILED', bulk: 'all' })}
              />
            }
          >
            Replay failed…
          </LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ trigger: triggerId })} />}>
            Open events
          </LinkButton>
        </>
      }
    >
      Every attempt has failed since <Time at={since} as="clock" />. Auto-disables <Time at={disableAt} />
      {queue ? `; ${queueWords(queue, nowMs)}` : ''}.
    </AttentionCard>
  );
}

const answerWords = ({ lastStatus }: RetryingDestination) =>
  lastStatus === null ? 'no response' : `returns ${lastStatus}`;

const AGE_MS = 10_000;

/** The waiting deliveries of each destination. */
function useQueues(): ReadonlyMap<string, DestinationQueue> {
  const { data } = useQuery(triggerStatsQuery);
  return useMemo(
    () => new Map(data?.triggers.flatMap(({ queues }) => queues.map((each) => [each.destination_id, each]))),
    [data],
  );
}

/** Destinations with a delayed or held queue that are not listed as failing or retrying. */
function useBehind(retrying: readonly RetryingDestination[]): readonly RetryingDestination[] {
  const stats = useQuery(triggerStatsQuery).data;
  const triggers = useQuery(newestTriggersQuery).data?.triggers;
  return useMemo(() => {
    const known = new Set(retrying.map(({ destinationId }) => destinationId));
    return (stats?.triggers ?? []).flatMap(({ trigger_id, queues }) => {
      const trigger = triggers?.find((each) => each.trigger_id === trigger_id);
      return queues.flatMap(({ destination_id, health, waiting }) => {
        const destination = trigger?.destinations.find((each) => each.destination_id === destination_id);
        if (!trigger || !destination || known.has(destination_id)) return [];
        if (!untried(health)) return [];
        return {
          destinationId: destination_id,
          name: destination.name,
          triggerId: trigger_id,
          triggerName: trigger.name,
          events: waiting,
          lastStatus: null,
        };
      });
    });
  }, [stats, triggers, retrying]);
}

/** A queue that waits without failed attempts: the card's text, and the status filter of its events. */
const UNTRIED = {
  BEHIND: { kind: 'Destination behind', status: 'PENDING' },
  HELD: { kind: 'Deliveries held', status: 'HELD' },
  PAUSED: { kind: 'Destination paused', status: 'PENDING' },
} as const;
const RETRYING = { kind: 'Destination retrying', status: 'RETRYING' } as const;

const untried = (health: DestinationQueue['health'] | undefined) =>
  health === 'BEHIND' || health === 'HELD' || health === 'PAUSED' ? UNTRIED[health] : undefined;

interface RetryingCardProps {
  readonly destination: RetryingDestination;
  readonly queue: DestinationQueue | undefined;
}

function RetryingCard({ destination, queue }: RetryingCardProps) {
  const nowMs = useNow(AGE_MS);
  const { kind, status } = untried(queue?.health) ?? RETRYING;
  const { triggerId, destinationId, name, triggerName } = destination;
  return (
    <AttentionCard
      tone="warn"
      icon={RotateCw}
      kind={kind}
      aside={queue?.health === 'BEHIND' || queue?.health === 'PAUSED' ? undefined : answerWords(destination)}
      title={`${name} · ${triggerName}`}
      actions={
        <>
          <LinkButton render={<Link to={path.destination(triggerId, destinationId)} />}>Open destination</LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ status, trigger: triggerId })} />}>
            Open events
          </LinkButton>
        </>
      }
    >
      {queue ? queueWords(queue, nowMs) : `${plural(destination.events, 'event')} waiting`}.{' '}
      {queue?.health === 'PAUSED' ? 'They are sent once it is resumed.' : 'Retries continue automatically.'}
    </AttentionCard>
  );
}

const MISSED_MAX = 10_000;

function offWords(off: readonly DestinationSummary[], missed: number): string {
  const counted = missed > 0 ? `${countWords(missed, missed >= MISSED_MAX, 'event')} skipped since then` : 'Its events';
  const which = off.length > 1 ? `${plural(off.length, 'destination')} of this trigger. ` : '';
  return `${which}${counted} ${missed === 1 ? 'is' : 'are'} kept and can be replayed.`;
}

function useMissed(triggerId: string, off: readonly DestinationSummary[]): number {
  const { data } = useQuery(triggerStatsQuery);
  const disabled = data?.triggers.find(({ trigger_id }) => trigger_id === triggerId)?.disabled ?? [];
  return disabled
    .filter((each) => off.some(({ destination_id }) => destination_id === each.destination_id))
    .reduce((sum, each) => sum + each.missed, 0);
}

function TriggerCard({ trigger }: { trigger: Trigger }) {
  const off = trigger.destinations.filter(isFailing);
  const missed = useMissed(trigger.trigger_id, off);
  const [first] = off;
  // a stopped trigger is the card's subject; otherwise its first disabled destination
  const disabled = trigger.reason ? undefined : first;
  return (
    <AttentionCard
      tone="warn"
      icon={CircleSlash}
      kind={trigger.reason ? 'Trigger stopped' : disabledWords(first?.reason ?? null)}
      title={disabled ? `${disabled.name} · ${trigger.name}` : trigger.name}
      actions={
        <>
          <LinkButton
            render={
              <Link
                to={
                  disabled
                    ? path.destination(trigger.trigger_id, disabled.destination_id)
                    : path.trigger(trigger.trigger_id)
                }
              />
            }
          >
            {disabled ? (missed > 0 ? 'Enable and replay…' : 'Open destination') : 'Open trigger'}
          </LinkButton>
          <LinkButton variant="ghost" render={<Link to={path.events({ trigger: trigger.trigger_id })} />}>
            Events
          </LinkButton>
        </>
      }
    >
      {trigger.reason ? REASON_DETAILS[trigger.reason] : offWords(off, missed)}
    </AttentionCard>
  );
}
