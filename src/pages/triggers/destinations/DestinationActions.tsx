import { CirclePause, CirclePlay, CircleSlash, MoreHorizontal, Play, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Destination, Trigger } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurlItem, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/overlays/MenuItem.tsx';
import { destinationQuery } from '../trigger-queries.ts';
import { TestOutcome } from './TestOutcome.tsx';
import { useTestEvent } from './use-test-event.ts';

export interface DestinationProps {
  readonly destination: Destination;
  readonly trigger: Trigger;
}

/** Sends a test event or past events; pauses, enables or disables the destination. */
export function DestinationActions({ destination, trigger, unsaved }: DestinationProps & { unsaved: boolean }) {
  const { trigger_id } = trigger;
  const { destination_id, status, paused_at } = destination;
  const [testId, setTestId] = useState<string>();
  const test = useTestEvent(trigger, (event) => setTestId(event.event_id));
  const enabled = status === 'ENABLED';
  const mayReplay = useReason('replayCreate') === undefined && enabled;
  const others = trigger.destinations.length - 1;
  const notSent = enabled
    ? paused_at === null
      ? undefined
      : 'It is paused, so a test event would wait. Send a test request below instead.'
    : 'It is disabled, so a test event would be skipped.';
  const notNow = unsaved ? NOT_SAVED : notSent;
  return (
    <>
      <Button icon={Play} reason={test.reason ?? notNow} pending={test.pending} onClick={test.send}>
        Send a test event
      </Button>
      {enabled ? <PauseButton destination={destination} triggerId={trigger_id} /> : null}
      {enabled ? <EnableButton destination={destination} triggerId={trigger_id} /> : null}
      {mayReplay ? (
        <LinkButton
          icon={RotateCw}
          render={<Link to={path.events({ trigger: trigger_id, destination: destination_id, bulk: 'all' })} />}
        >
          Replay…
        </LinkButton>
      ) : null}
      <span className="text-12 text-fg-3" role="status">
        {testId ? (
          <TestOutcome triggerId={trigger_id} eventId={testId} destinationId={destination_id} />
        ) : others > 0 ? (
          `A test event goes to ${others === 1 ? 'the other destination' : `the ${others} other destinations`} too.`
        ) : null}
      </span>
    </>
  );
}

export const NOT_SAVED = 'Save or discard your changes first.';

/** Disables the destination, or enables it. */
export function EnableButton({ destination, triggerId }: { destination: Destination; triggerId: string }) {
  const { destination_id, status, name } = destination;
  const enabled = status === 'ENABLED';
  const reason = useReason('destinationUpdate');
  const update = useApiMutation('destinationUpdate', {
    failure: `${name} stays ${status.toLowerCase()}`,
    invalidates: ['triggerGet', 'triggerList', 'destinationList'],
    onSuccess: (reply) => queryClient.setQueryData(destinationQuery(triggerId, destination_id).queryKey, reply),
  });
  return (
    <Button
      icon={enabled ? CircleSlash : CirclePlay}
      reason={reason}
      pending={update.isPending}
      onClick={() =>
        update.mutate({
          params: { trigger_id: triggerId, destination_id },
          body: { status: enabled ? 'DISABLED' : 'ENABLED' },
        })
      }
    >
      {enabled ? 'Disable' : 'Enable'}
    </Button>
  );
}

/** Pauses the destination, or resumes it. */
export function PauseButton({ destination, triggerId }: { destination: Destination; triggerId: string }) {
  const { destination_id, paused_at, name } = destination;
  const paused = paused_at !== null;
  const reason = useReason('destinationUpdate');
  const update = useApiMutation('destinationUpdate', {
    failure: `${name} was not ${paused ? 'resumed' : 'paused'}`,
    invalidates: ['triggerGet', 'triggerList', 'triggerStats', 'destinationList'],
    onSuccess: (reply) => queryClient.setQueryData(destinationQuery(triggerId, destination_id).queryKey, reply),
  });
  return (
    <Button
      icon={paused ? CirclePlay : CirclePause}
      reason={reason}
      pending={update.isPending}
      onClick={() => update.mutate({ params: { trigger_id: triggerId, destination_id }, body: { paused: !paused } })}
    >
      {paused ? 'Resume' : 'Pause'}
    </Button>
  );
}

export function DestinationMenu({ destination, trigger }: DestinationProps) {
  const [deleting, setDeleting] = useState(false);
  const reason = useReason('destinationDelete');
  const params = { trigger_id: trigger.trigger_id, destination_id: destination.destination_id };
  const { url, method, name } = destination;
  return (
    <>
      <Menu
        label="More actions for this destination"
        align="end"
        trigger={(opener) => (
          <IconButton {...opener} icon={MoreHorizontal} label="More actions for this destination" tip="More" />
        )}
      >
        <CopyAsCurlItem text={() => curlText('destinationGet', { params })}>Copy get request as curl</CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('destinationUpdate', { params, body: { url, method, name } })}>
          Copy update request as curl
        </CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('triggerTest', { params })}>
          Copy test event request as curl
        </CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('destinationTest', { params })}>
          Copy test send request as curl
        </CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('destinationDoctor', { params })}>
          Copy diagnose request as curl
        </CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('destinationSecretRotate', { params, body: { overlap_hours: 24 } })}>
          Copy rotate secret request as curl
        </CopyAsCurlItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger reason={reason} onSelect={() => setDeleting(true)}>
          Delete…
        </MenuItem>
      </Menu>
      <DeleteDestination
        destination={destination}
        trigger={trigger}
        open={deleting}
        onClose={() => setDeleting(false)}
      />
    </>
  );
}

function DeleteDestination({
  destination,
  trigger,
  open,
  onClose,
}: DestinationProps & { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const { trigger_id } = trigger;
  const remove = useApiMutation('destinationDelete', {
    failure: 'The destination was not deleted',
    invalidates: ['triggerGet', 'triggerList', 'destinationList'],
    onSuccess: () => navigate(path.trigger(trigger_id, 'destinations'), { replace: true, state: SETTLED }),
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${destination.name}`}
      confirmLabel="Delete destination"
      typeName={destination.name}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { trigger_id, destination_id: destination.destination_id } })}
    >
      Events of {trigger.name} are no longer sent to{' '}
      <span className="data wrap-anywhere text-fg">{destination.url}</span>, and its pending retries are canceled. Its
      signing secret and headers are deleted. Past deliveries stay visible in the events.
    </ConfirmDialog>
  );
}
