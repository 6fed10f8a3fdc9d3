import type { DestinationSummary } from '../../api/entities.ts';
import { plural } from '../../lib/format.ts';
import { HealthDot } from '../../ui/HealthDot.tsx';
import { healthAmong, useRetrying } from './retrying.ts';

const DOTS = 6;

/** The destinations of a trigger as dots, and the word that matters most. */
export function DestinationHealth({ destinations }: { destinations: readonly DestinationSummary[] }) {
  const retrying = useRetrying();
  if (destinations.length === 0) return <span className="text-fg-3">none, events are only kept</span>;
  const healths = destinations.map((each) => healthAmong(each, retrying));
  const failing = healths.filter((health) => health === 'failing').length;
  const waiting = healths.filter((health) => health === 'retrying').length;
  const disabled = healths.filter((health) => health === 'disabled').length;
  const words =
    failing > 0
      ? `${failing} failing`
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
          health={healthAmong(destination, retrying)}
          name={destination.name}
        />
      ))}
      <span
        className="ml-1 min-w-0 truncate"
        title={`${plural(destinations.length, 'destination')}: ${destinations.map(({ name }) => name).join(', ')}`}
      >
        {words}
      </span>
    </span>
  );
}
