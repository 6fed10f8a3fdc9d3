import { Plus } from 'lucide-react';
import { useParams } from 'react-router';
import { DESTINATIONS_PER_TRIGGER } from '../../../../contract/limits.ts';
import type { DestinationSummary, Trigger } from '../../../api/entities.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { EnabledChip } from '../../../components/status.tsx';
import { path } from '../../../lib/path.ts';
import { columnsOf } from '../../../table/columns.ts';
import { DataTable } from '../../../table/DataTable.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { HealthDot } from '../../../ui/HealthDot.tsx';
import { destinationIdIn } from '../trigger-queries.ts';
import { urlWords, useConnectionNames } from './connection-words.ts';
import { healthAmong, useTroubles } from './retrying.ts';

function NoDestinations({ trigger }: { trigger: Trigger }) {
  return (
    <EmptyState title="No destinations" actions={<AddButton trigger={trigger} primary />}>
      Events of this trigger are stored, but not delivered until you add a destination.
    </EmptyState>
  );
}

function OwnHealth({ destination }: { destination: DestinationSummary }) {
  return <HealthDot health={healthAmong(destination, useTroubles())} name={destination.name} />;
}

function OwnChip({ destination }: { destination: DestinationSummary }) {
  const paused = healthAmong(destination, useTroubles()) === 'paused';
  return <EnabledChip status={destination.status} reason={destination.reason} paused={paused} />;
}

/** The status in words, if the icon before the name shows one. */
function Trouble({ destination }: { destination: DestinationSummary }) {
  const health = healthAmong(destination, useTroubles());
  if (health === 'healthy' || health === 'paused' || health === 'disabled' || health === 'disabled automatically')
    return null;
  return (
    <span className={health === 'failing' || health === 'held' ? 'text-12 text-bad-fg' : 'text-12 text-warn-fg'}>
      {health}
    </span>
  );
}

/** The URL, or the path and the connection of a connected app. */
function DestinationUrl({ url }: { url: string }) {
  const words = urlWords(url, useConnectionNames());
  return (
    <span className="data min-w-0 truncate text-fg-2" title={words}>
      {words}
    </span>
  );
}

const col = columnsOf<DestinationSummary>();
const columns = col.columns([
  col.accessor('name', {
    header: 'Destination',
    meta: { width: 'minmax(120px, 1fr)', phone: 'lead' },
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 items-center gap-2">
        <OwnHealth destination={original} />
        <span className="min-w-0 truncate font-medium">{original.name}</span>
      </span>
    ),
  }),
  col.accessor('url', {
    header: 'URL',
    meta: { width: 'minmax(160px, 2fr)', phone: 'below' },
    cell: ({ getValue }) => <DestinationUrl url={getValue()} />,
  }),
  col.accessor('status', {
    header: 'Status',
    meta: { width: '200px', phone: 'end' },
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2">
        <OwnChip destination={original} />
        <Trouble destination={original} />
      </span>
    ),
  }),
]);
const destinationId = (destination: DestinationSummary) => destination.destination_id;

/** The destinations of the trigger. Each opens its editor over this list. */
export function DestinationsTab({ trigger }: { trigger: Trigger }) {
  const { trigger_id, destinations } = trigger;
  const currentId = destinationIdIn(useParams()) || undefined;
  return (
    <>
      <div className="flex min-h-12 flex-none items-center gap-2 px-4 py-2 max-sm:px-3">
        <p className="min-w-0 flex-1 text-fg-2">Each destination gets every event, with its own retries.</p>
        <span className="max-sm:hidden">
          <CopyAsCurl text={() => curlText('destinationList', { params: { trigger_id } })} what="list destinations" />
        </span>
        {destinations.length > 0 ? <AddButton trigger={trigger} /> : null}
      </div>
      <DataTable
        label="Destinations"
        rows={destinations}
        columns={columns}
        rowId={destinationId}
        rowLink={({ destination_id }) => path.destination(trigger_id, destination_id)}
        currentId={currentId}
        after={destinations.length === 0 ? <NoDestinations trigger={trigger} /> : null}
      />
    </>
  );
}

function AddButton({ trigger, primary = false }: { trigger: Trigger; primary?: boolean }) {
  const role = useReason('destinationCreate');
  const full =
    trigger.destinations.length >= DESTINATIONS_PER_TRIGGER
      ? `A trigger has at most ${DESTINATIONS_PER_TRIGGER} destinations.`
      : undefined;
  const reason = role ?? full;
  const variant = primary ? 'primary' : 'default';
  return reason ? (
    <Button variant={variant} icon={Plus} reason={reason}>
      Add destination
    </Button>
  ) : (
    <LinkButton variant={variant} icon={Plus} render={<Link to={path.destinationNew(trigger.trigger_id)} />}>
      Add destination
    </LinkButton>
  );
}
