import { ChevronDown, Link2, MoreHorizontal, Pencil, RotateCw, Zap } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { mayReplay } from '../../../contract/states.ts';
import type { EventDetail, Trigger } from '../../api/entities.ts';
import { q, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { useHotkey } from '../../hooks/use-hotkey.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { middleCut, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuLink, MenuSeparator } from '../../ui/overlays/MenuItem.tsx';
import { Panel } from '../../ui/overlays/Panel.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { Time } from '../../ui/Time.tsx';
import { SourceMark } from '../apps/SourceMark.tsx';
import { CopyAsCurlItem, curlText } from '../deliveries/CopyAsCurl.tsx';
import { DeliveryList } from '../deliveries/DeliveryList.tsx';
import { EditedCopies } from '../deliveries/EditedCopies.tsx';
import { IdText } from '../IdText.tsx';
import { Link } from '../Link.tsx';
import { useBulkState } from '../replays/use-bulk-state.ts';
import { type EventIds, useReplay } from '../replays/use-replay.ts';
import { EventPayload } from './EventPayload.tsx';
import { EventRequest } from './EventRequest.tsx';
import { eventQuery } from './event-query.ts';
import { PinButton, PinNote } from './PinButton.tsx';

const EditAndResend = lazy(() => import('../deliveries/EditAndResend.tsx'));
const ReplayChoiceDialog = lazy(() => import('../replays/ReplayChoiceDialog.tsx'));

/** The queries of the panel; the loaders of its routes ensure them. */
export { eventQuery };
export const eventTriggerQuery = (trigger_id: string) => q('triggerGet', { params: { trigger_id } });

export interface EventPanelProps extends EventIds {
  /** Whether the page can open a dry run over the panel. */
  readonly dryRun: boolean;
  readonly onClose: () => void;
}

/** Scrolls the panel to the top for each event. */
function scrollToTop(body: HTMLElement | null) {
  body?.parentElement?.scrollTo(0, 0);
}

/** One event beside the list: payload, deliveries, attempts, and replay. */
export function EventPanel({ trigger_id, event_id, dryRun, onClose }: EventPanelProps) {
  const { event } = usePrefetchedQuery(eventQuery({ trigger_id, event_id })).data;
  const { trigger } = usePrefetchedQuery(eventTriggerQuery(trigger_id)).data;
  return (
    <Panel
      mode="beside"
      mark={<SourceMark source={event.source} />}
      title={<span className="data">{event.event_type}</span>}
      tools={<MoreActions key={event_id} event={event} />}
      meta={
        <>
          <IdText id={event.event_id} whole noun="event ID" />
          <span className="ml-auto">
            <Time at={event.received_at} />
          </span>
        </>
      }
      actions={<ReplayActions key={event_id} event={event} trigger={trigger} dryRun={dryRun} />}
      onClose={onClose}
    >
      <div ref={scrollToTop} key={event_id}>
        <PinNote event={event} />
        {event.replay_of === null ? null : (
          <p className="border-b border-line px-4 py-2 text-12 text-fg-2">
            Edited copy of{' '}
            <Link className="link data" to={path.event(trigger_id, event.replay_of)}>
              {middleCut(event.replay_of)}
            </Link>
            .
          </p>
        )}
        {event.trace_id === null ? null : (
          <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-12 text-fg-2">
            Trace <IdText id={event.trace_id} whole noun="trace ID" />
          </p>
        )}
        <EditedCopies event={event} />
        <EventPayload payload={event.payload} />
        {event.request === null ? null : <EventRequest event={event} request={event.request} />}
        <section aria-labelledby="event-deliveries">
          <div className="flex min-h-6 items-center gap-2 px-4 pt-3 pb-2">
            <h3 id="event-deliveries" className="text-13 tracking-normal">
              Deliveries
            </h3>
            <span className="flex-none text-12 text-fg-3">{plural(event.deliveries.length, 'destination')}</span>
            <Link className="link ml-auto block min-w-0 truncate text-12" to={path.trigger(trigger_id)}>
              {event.trigger_name}
            </Link>
          </div>
          {event.deliveries.length > 0 ? (
            <DeliveryList event={event} trigger={trigger} />
          ) : (
            <p className="border-t border-line px-4 py-3 text-fg-2">
              The trigger had no destinations when this event was received. A replay sends it to destinations added
              since.
            </p>
          )}
        </section>
      </div>
    </Panel>
  );
}

function useWholeReplay(event: EventDetail, trigger: Trigger) {
  const { replay, reason: role, pending, said } = useReplay();
  const verdicts = trigger.destinations.map((destination) => mayReplay(destination));
  const nowhere =
    verdicts.length === 0
      ? 'The trigger has no destinations.'
      : verdicts.some((verdict) => verdict.can)
        ? undefined
        : 'All destinations are disabled. Enable one first.';
  const failed = event.deliveries.filter(({ status }) => status === 'FAILED').length;
  const noneFailed = failed > 0 ? undefined : 'No delivery of this event has exhausted its retries.';
  return { replay, pending, said, reason: role ?? nowhere, onlyFailedReason: role ?? noneFailed, failed };
}

interface ReplayActionsProps {
  readonly event: EventDetail;
  readonly trigger: Trigger;
  readonly dryRun: boolean;
}

function ReplayActions({ event, trigger, dryRun }: ReplayActionsProps) {
  const { replay, pending, said, reason, onlyFailedReason, failed } = useWholeReplay(event, trigger);
  const all = () => replay(event);
  const onlyFailed = () => replay(event, { only_failed: true });
  const [, setBulk] = useBulkState();
  const [choosing, setChoosing] = useState<boolean>();
  const [editing, setEditing] = useState<boolean>();
  const mayCreate = useReason('eventCreate');
  const edit = () => setEditing(true);
  useHotkey('r', all, { enabled: reason === undefined && !choosing && !editing });
  useHotkey('e', edit, { enabled: mayCreate === undefined && !choosing && !editing });
  usePageActions([
    { label: 'Replay the event', kbd: 'r', icon: RotateCw, reason, onSelect: all },
    { label: 'Replay failed only', icon: RotateCw, reason: onlyFailedReason, onSelect: onlyFailed },
    { label: 'Edit and resend…', kbd: 'e', icon: Pencil, reason: mayCreate, onSelect: edit },
  ]);
  return (
    <>
      <span className="inline-flex gap-px [&>button]:rounded-r-none [&>button+button]:rounded-r [&>button+button]:rounded-l-none">
        <Button variant="primary" icon={RotateCw} reason={reason} pending={pending} onClick={all}>
          Replay event
        </Button>
        <Menu
          label="Replay to"
          trigger={(opener) => (
            <Button
              {...opener}
              variant="primary"
              reason={reason}
              aria-label="Replay to one destination"
              className="px-1.5"
            >
              <ChevronDown size={14} aria-hidden />
            </Button>
          )}
        >
          <MenuItem icon={RotateCw} reason={onlyFailedReason} onSelect={onlyFailed}>
            Failed only
          </MenuItem>
          <MenuItem reason={reason} onSelect={() => replay(event, { as_new: true })}>
            Send with new webhook-id
          </MenuItem>
          <MenuItem reason={reason} onSelect={() => setChoosing(true)}>
            Choose…
          </MenuItem>
          <MenuHead>Destinations</MenuHead>
          {trigger.destinations.map((destination) => {
            const verdict = mayReplay(destination);
            return (
              <MenuItem
                key={destination.destination_id}
                reason={verdict.can ? undefined : verdict.reason}
                onSelect={() => replay(event, { destination_ids: [destination.destination_id] })}
              >
                {destination.name}
              </MenuItem>
            );
          })}
        </Menu>
      </span>
      {failed > 0 ? (
        <Button reason={onlyFailedReason} onClick={onlyFailed}>
          Replay failed only
        </Button>
      ) : null}
      {dryRun ? (
        <Button reason={reason} onClick={() => setBulk('event')}>
          Preview delivery…
        </Button>
      ) : null}
      <Button icon={Pencil} reason={mayCreate} onClick={edit}>
        Edit and resend…
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
      {/* mounted once opened, so that closing does not lose the input */}
      <Suspense>
        {choosing === undefined ? null : (
          <ReplayChoiceDialog event={event} trigger={trigger} open={choosing} onClose={() => setChoosing(false)} />
        )}
        {editing === undefined ? null : (
          <EditAndResend event={event} open={editing} onClose={() => setEditing(false)} />
        )}
      </Suspense>
    </>
  );
}

function MoreActions({ event }: { event: EventDetail }) {
  const { trigger_id, event_id } = event;
  const params = { trigger_id, event_id };
  const copyLink = async () => {
    await navigator.clipboard.writeText(window.location.href);
    toast({ title: 'Link copied', tone: 'ok' });
  };
  return (
    <>
      <PinButton event={event} />
      <IconButton icon={Link2} label="Copy link to this event" tip="Copy link" onClick={() => void copyLink()} />
      <Menu
        label="More actions for this event"
        align="end"
        trigger={(opener) => (
          <IconButton {...opener} icon={MoreHorizontal} label="More actions for this event" tip="More" />
        )}
      >
        <CopyAsCurlItem text={() => curlText('eventReplay', { params })}>Copy replay request as curl</CopyAsCurlItem>
        <CopyAsCurlItem text={() => curlText('eventGet', { params })}>Copy get request as curl</CopyAsCurlItem>
        <MenuSeparator />
        <MenuLink icon={Zap} render={<Link to={path.trigger(trigger_id)} />}>
          Open trigger
        </MenuLink>
      </Menu>
    </>
  );
}
