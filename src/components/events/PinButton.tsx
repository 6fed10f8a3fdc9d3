import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import type { EventDetail } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { useHotkey } from '../../hooks/use-hotkey.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { Time } from '../../ui/Time.tsx';
import { eventQuery } from './event-query.ts';
import { TextDialog } from './TextDialog.tsx';

type Reply = { event: EventDetail };

function remember({ event }: Reply) {
  const { trigger_id, event_id } = event;
  queryClient.setQueryData(eventQuery({ trigger_id, event_id }).queryKey, { event });
}

/** Pins an event, so that it is kept beyond the retention, or unpins it. */
export function PinButton({ event }: { event: EventDetail }) {
  const params = { trigger_id: event.trigger_id, event_id: event.event_id };
  const reason = useReason('eventPin');
  const pin = useApiMutation('eventPin', {
    failure: 'The event was not pinned',
    invalidates: ['auditList'],
    onSuccess: (reply) => {
      remember(reply);
      toast({ title: 'Event pinned', description: 'It is kept beyond the retention.', tone: 'ok' });
    },
  });
  const unpin = useApiMutation('eventUnpin', {
    failure: 'The event was not unpinned',
    invalidates: ['auditList'],
    onSuccess: (reply) => {
      remember(reply);
      toast({ title: 'Event unpinned', description: 'It is deleted at the end of the retention.', tone: 'ok' });
    },
  });
  const isPinned = event.pin !== null;
  const pending = pin.isPending || unpin.isPending;
  const toggle = () => {
    if (!pending) (isPinned ? unpin : pin).mutate({ params });
  };
  const label = isPinned ? 'Unpin the event' : 'Pin the event';
  useHotkey('p', toggle, { enabled: reason === undefined });
  usePageActions([{ label, kbd: 'p', icon: isPinned ? PinOff : Pin, reason, onSelect: toggle }]);
  return (
    <IconButton
      icon={isPinned ? PinOff : Pin}
      label={label}
      tip={isPinned ? 'Unpin' : 'Pin'}
      reason={reason}
      aria-pressed={isPinned}
      onClick={toggle}
    />
  );
}

/** Who pinned the event, and the note. */
export function PinNote({ event }: { event: EventDetail }) {
  const [editing, setEditing] = useState(false);
  const reason = useReason('eventPin');
  const { mutate, error, isPending } = useApiMutation('eventPin', {
    failure: 'inline',
    onSuccess: (reply) => {
      remember(reply);
      setEditing(false);
    },
  });
  const { pin, trigger_id, event_id } = event;
  if (!pin) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2 text-12 text-fg-2">
      <Pin size={12} strokeWidth={2} className="flex-none text-fg-3" aria-hidden />
      <span>
        Pinned by {pin.by}, <Time at={pin.at} />
      </span>
      {pin.note === null ? null : <span className="min-w-0 wrap-anywhere text-fg">{pin.note}</span>}
      <Button size="sm" variant="ghost" reason={reason} className="-my-1 ml-auto" onClick={() => setEditing(true)}>
        {pin.note === null ? 'Add note…' : 'Change note…'}
      </Button>
      {editing ? (
        <TextDialog
          title="Note of the pinned event"
          label="Note"
          value={pin.note ?? ''}
          maxLength={500}
          optional
          submitLabel="Save note"
          error={error}
          pending={isPending}
          onSubmit={(note) => mutate({ params: { trigger_id, event_id }, body: { note: note === '' ? null : note } })}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </div>
  );
}
