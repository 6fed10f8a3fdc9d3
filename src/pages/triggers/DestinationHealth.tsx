import type { DestinationSummary } from '../../api/entities.ts';
import { plural } from '../../lib/format.ts';
import { HealthDot } from '../../ui/HealthDot.tsx';
import { healthAmong, useTroubles } from './retrying.ts';

const DOTS = 6;

/** The destinations of a trigger as dots, and the word that matters most. */
export function DestinationHealth({ destinations }: { destinations: readonly DestinationSummary[] }) {
  const troubles = useTroubles();
  if (destinations.length === 0) return <span className="text-fg-3">none, events are only kept</span>;
  const healths = destinations.map((each) => healthAmong(each, troubles));
  const failing = destinations.filter((_, index) => healths[index] === 'failing');
  const waiting = healths.filter((health) => health === 'retrying').length;
  const disabled = healths.filter((health) => health === 'disabled').length;
  const words = failing[0]
    ? failing.length === 1
      ? `${failing[0].name} failing${soon(troubles.failing.get(failing[0].destination_id))}`
      : `${failing.length} failing`
    : waiting > 0
      ? `${waiting} retrying`
      : disabled === healths.length
        ? 'disabled'
        : disabled > 0
          ? `${disabled} disabled`
          : 'healthy';
  return (
    <span className="flex min-w-0 items-center gap-1">
      {destinations.slice(0, DOTS).map((destination) => (
        <HealthDot
          key={destination.destination_id}
          health={healthAmong(destination, troubles)}
          name={destination.name}
        />
      ))}
      <span
        className="ml-1 min-w-0 truncate"
        title={`${plural(destinations.length, 'destination')}: ${destinations.map(({ name }, index) => `${name} (${healths[index]})`).join(', ')}`}
      >
        {words}
      </span>
    </span>
  );
}

/** How far it is on its way to being disabled, once that is worth a word. */
const soon = (warning = 0) => (warning > 0 ? `, ${warning} % to being disabled` : '');
