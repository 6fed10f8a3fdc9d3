import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Destination } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { countWords } from '../../components/deliveries/destination-words.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { EnableButton } from './destinations/DestinationActions.tsx';
import { destinationQuery } from './trigger-queries.ts';

export interface EnableActionsProps {
  readonly destination: Destination;
  readonly triggerId: string;
}

const MISSED_MAX = 10_000;

/** Enables a disabled destination, or enables it and replays the deliveries it has missed. */
export function EnableActions({ destination, triggerId }: EnableActionsProps) {
  const [asking, setAsking] = useState(false);
  const reason = useReason('replayCreate');
  const { missed, name } = destination;
  const { run, pending } = useEnableAndReplay({ destination, triggerId }, () => setAsking(false));
  const counted = countWords(missed, missed >= MISSED_MAX, 'event');
  return (
    <span className="flex flex-wrap gap-2 sm:flex-none sm:justify-end">
      {missed > 0 ? (
        <Button icon={RotateCw} reason={reason} pending={pending} onClick={() => setAsking(true)}>
          Enable and replay skipped…
        </Button>
      ) : null}
      <EnableButton destination={destination} triggerId={triggerId} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Enable ${name} and replay skipped events`}
        confirmLabel="Enable and replay"
        harmless
        pending={pending}
        onConfirm={run}
      >
        The destination gets new events again, and the {counted} skipped since it was disabled are sent to{' '}
        <span className="data wrap-anywhere text-fg">{destination.url}</span>, oldest first. The first event is sent as
        a canary; if it fails, the replay stops. You can pause or cancel it at any time.
      </ConfirmDialog>
    </span>
  );
}

function useEnableAndReplay({ destination, triggerId }: EnableActionsProps, onDone: () => void) {
  const navigate = useNavigate();
  const { destination_id, disabled_at, name } = destination;
  const enable = useApiMutation('destinationUpdate', {
    failure: `${name} stays disabled`,
    invalidates: ['triggerGet', 'triggerList', 'destinationList'],
    onSuccess: (reply) => queryClient.setQueryData(destinationQuery(triggerId, destination_id).queryKey, reply),
  });
  const replay = useApiMutation('replayCreate', {
    failure: 'The replay could not be started',
    invalidates: ['replayList'],
    onSuccess: ({ replay: made }) => {
      if (!made) return;
      toast({
        title: `${name} is enabled, ${plural(made.total, 'delivery is', 'deliveries are')} replayed`,
        tone: 'ok',
        action: { label: 'Open replay', onPress: () => void navigate(path.replay(made.replay_id)) },
      });
    },
  });
  const run = async () => {
    await enable.mutateAsync({ params: { trigger_id: triggerId, destination_id }, body: { status: 'ENABLED' } });
    await replay.mutateAsync({
      body: {
        filter: { trigger_id: triggerId, destination_id, status: 'SKIPPED' },
        destination_ids: [destination_id],
        only_skipped: true,
        canary: 1,
        ...(disabled_at === null ? {} : { missed_since: disabled_at }),
      },
    });
    onDone();
  };
  // the mutation shows a toast on failure
  return { run: () => run().catch(() => undefined), pending: enable.isPending || replay.isPending };
}
