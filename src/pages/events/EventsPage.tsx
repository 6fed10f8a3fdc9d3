import { useQuery } from '@tanstack/react-query';
import { Ban, History, MoreHorizontal, RotateCw, Zap } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type LoaderFunctionArgs, useNavigate } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import type { ReplayScope } from '../../components/bulk-replay/replay-input.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { EventFigureControls, EventFigures } from '../../components/events/EventFigures.tsx';
import { EventFilterBar } from '../../components/events/EventFilterBar.tsx';
import { EventTable } from '../../components/events/EventTable.tsx';
import { ExportMenu } from '../../components/events/ExportMenu.tsx';
import { eventListAt, eventScope, replayScope } from '../../components/events/event-query.ts';
import { SavedFilterMenu, SavedFilterName } from '../../components/events/saved/SavedFilterMenu.tsx';
import { useEventList } from '../../components/events/use-event-list.ts';
import { Link } from '../../components/Link.tsx';
import { useBulkState } from '../../components/replays/use-bulk-state.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import type { Handle } from '../../layouts/handle.ts';
import { PanelPage } from '../../layouts/PanelPage.tsx';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../ui/overlays/MenuItem.tsx';
import { PageHead } from '../../ui/PageHead.tsx';

const CancelDeliveriesDialog = lazy(() => import('../../components/deliveries/CancelDeliveriesDialog.tsx'));

function NoEvents() {
  return (
    <EmptyState
      title="No events yet"
      actions={
        <LinkButton variant="primary" icon={Zap} render={<Link to={path.triggers()} />}>
          Open triggers
        </LinkButton>
      }
    >
      Every event that a trigger receives is stored here with its payload, deliveries and attempts, and can be replayed.
    </EmptyState>
  );
}

export const handle: Handle = { crumb: 'Events' };
/** Does not await the data: the frame of the list is rendered immediately and its rows follow. */
export function loader({ request }: LoaderFunctionArgs): null {
  ensure(eventListAt(request.url, undefined), newestTriggersQuery).catch(() => undefined);
  return null;
}

/** The events of every trigger. */
export function Component() {
  const navigate = useNavigate();
  const events = useEventList();
  const { list, filters, begin } = events;
  const triggers = (useQuery(newestTriggersQuery).data?.triggers ?? []).map(({ trigger_id, name }) => ({
    value: trigger_id,
    label: name,
  }));
  const query = eventScope(undefined, filters, begin);
  const [, setBulk] = useBulkState();
  const [canceling, setCanceling] = useState(false);
  const role = useReason('replayCreate');
  const mayCancel = useReason('deliveryCancel');
  const filtered = Object.values(filters).some((value) => value !== '');
  const noneYet = !list.pending && list.error === undefined && list.rows.length === 0 && !filtered;
  const unlimited = Object.values(query).every((value) => value === undefined);
  const noFilter = unlimited ? 'Set a filter first, such as a time range.' : undefined;
  const reason = role ?? noFilter;
  const cancelReason = mayCancel ?? noFilter;
  usePageActions([
    { label: 'Replay all events that match…', icon: RotateCw, reason, onSelect: () => setBulk('all') },
    {
      label: 'Cancel open deliveries that match…',
      icon: Ban,
      reason: cancelReason,
      onSelect: () => setCanceling(true),
    },
    { label: 'Open replays', icon: History, onSelect: () => void navigate(path.replays()) },
  ]);
  return (
    <PanelPage>
      <PageHead
        title="Events"
        meta={
          <>
            <SavedFilterName events={events} />
            <LivePill count={list.waiting} more={list.waitingMore} noun="events" onShow={list.show} />
          </>
        }
        actions={
          <>
            <span className="max-md:hidden">
              <CopyAsCurl text={() => curlText('eventListAll', { query })} what="this list" />
            </span>
            <SavedFilterMenu events={events} />
            <ExportMenu events={events} triggers={triggers} />
            <LinkButton icon={History} render={<Link to={path.replays()} />}>
              Replays
            </LinkButton>
            <Button icon={RotateCw} reason={reason} onClick={() => setBulk('all')}>
              Replay matching…
            </Button>
            <Menu
              label="More actions for this list"
              align="end"
              trigger={(opener) => (
                <IconButton {...opener} icon={MoreHorizontal} label="More actions for this list" tip="More" />
              )}
            >
              <MenuItem icon={Ban} reason={cancelReason} onSelect={() => setCanceling(true)}>
                Cancel open deliveries…
              </MenuItem>
            </Menu>
          </>
        }
      />
      {/* on low screens the whole page scrolls, and the list keeps a usable height */}
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {/* the open replay dialog keeps its filter, even if the list's filter changes */}
        <div inert={events.bulk !== ''} className="flex-none">
          <EventFilterBar events={events} triggers={triggers}>
            {noneYet ? null : <EventFigureControls />}
          </EventFilterBar>
        </div>
        {noneYet ? null : <EventFigures />}
        <div className="flex min-h-72 flex-1 flex-col">
          <EventTable events={events} triggers={triggers} empty={<NoEvents />} />
        </div>
      </div>
      <Suspense>
        {canceling ? (
          <CancelDeliveriesDialog
            scope={replayScope(undefined, filters, begin) as ReplayScope}
            onClose={() => setCanceling(false)}
          />
        ) : null}
      </Suspense>
    </PanelPage>
  );
}
