import type { DestinationSummary } from '../../../api/entities.ts';
import { ageWords, disabledWords, queueWords } from '../../../components/deliveries/destination-words.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { type Health, HealthDot } from '../../../ui/HealthDot.tsx';
import { healthAmong, type Troubles, useTroubles } from './retrying.ts';

const DOTS = 6;
/** Most severe first. */
const WORST: readonly Health[] = [
  'disabled automatically',
  'failing',
  'held',
  'behind',
  'retrying',
  'paused',
  'disabled',
];
const AGE_MS = 10_000;

/** The destinations of a trigger as dots, with the most severe state and the waiting deliveries in words. */
export function DestinationHealth({ destinations }: { destinations: readonly DestinationSummary[] }) {
  const troubles = useTroubles();
  const nowMs = useNow(AGE_MS);
  if (destinations.length === 0) return <span className="text-fg-3">none, events are only stored</span>;
  const healths = destinations.map((each) => healthAmong(each, troubles));
  const states = destinations.map((each, index) => {
    const queue = troubles.queues.get(each.destination_id);
    return `${each.name} (${healths[index]}${queue ? `, ${queueWords(queue, nowMs)}` : ''})`;
  });
  return (
    <span className="flex min-w-0 items-center gap-1">
      {destinations.slice(0, DOTS).map((destination, index) => (
        <HealthDot key={destination.destination_id} health={healths[index] ?? 'healthy'} name={destination.name} />
      ))}
      <span
        className="ml-1 min-w-0 max-sm:flex max-sm:items-baseline max-sm:gap-1.5"
        title={`${plural(destinations.length, 'destination')}: ${states.join(', ')}`}
      >
        <span className="block truncate">{stateWords(destinations, healths, troubles)}</span>
        <Waiting destinations={destinations} troubles={troubles} nowMs={nowMs} />
      </span>
    </span>
  );
}

function stateWords(destinations: readonly DestinationSummary[], healths: readonly Health[], troubles: Troubles) {
  const worst = WORST.find((health) => healths.includes(health));
  if (worst === undefined) return 'healthy';
  const those = destinations.filter((_, index) => healths[index] === worst);
  const [first] = those;
  if (!first || those.length > 1) return `${those.length} ${worst}`;
  if (worst === 'disabled automatically') return disabledWords(first.reason);
  if (worst === 'disabled') return destinations.length === 1 ? 'disabled' : '1 disabled';
  return `${first.name} ${worst}${worst === 'failing' ? soon(troubles.failing.get(first.destination_id)) : ''}`;
}

/** The progress towards auto-disable, once it is significant. */
const soon = (warning = 0) => (warning > 0 ? `, ${warning} % to auto-disable` : '');

interface WaitingProps {
  readonly destinations: readonly DestinationSummary[];
  readonly troubles: Troubles;
  readonly nowMs: number;
}

/** The number of deliveries that wait for these destinations, and the age of the oldest. */
function Waiting({ destinations, troubles, nowMs }: WaitingProps) {
  const queues = destinations.flatMap(({ destination_id }) => troubles.queues.get(destination_id) ?? []);
  const missed = destinations.reduce((sum, { destination_id }) => sum + (troubles.missed.get(destination_id) ?? 0), 0);
  if (queues.length === 0)
    return missed > 0 ? (
      <span className="block flex-none truncate text-11 text-fg-3">{formatCount(missed)} skipped</span>
    ) : null;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const oldest = queues.map((each) => each.oldest_waiting_at ?? '').toSorted()[0] || null;
  return (
    <span className="block flex-none truncate text-11 text-fg-3">
      {formatCount(waiting)}
      {queues.some(({ at_least }) => at_least) ? '+' : ''} waiting
      <span className="max-sm:hidden">, oldest {ageWords({ oldest_waiting_at: oldest }, nowMs)}</span>
    </span>
  );
}
