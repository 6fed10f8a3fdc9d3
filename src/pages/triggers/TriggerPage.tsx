import { MoreHorizontal, Play, RotateCw, Settings2 } from 'lucide-react';
import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import type { Trigger } from '../../api/entities.ts';
import { putEvent } from '../../api/live/live-lists.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { SourceMark } from '../../components/apps/SourceMark.tsx';
import { REASON_DETAILS, REASON_WORDS } from '../../components/apps/trigger-words.ts';
import { CopyAsCurlItem, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { NavLink } from '../../components/Link.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { PanelPage } from '../../layouts/PanelPage.tsx';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { path, type TriggerTab } from '../../lib/path.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip } from '../../ui/controls/Chip.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { TabLink, Tabs } from '../../ui/controls/Tabs.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/MenuItem.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { PageHead } from '../../ui/PageHead.tsx';
import { DestinationsTab } from './destinations/DestinationsTab.tsx';
import { useTestEvent } from './destinations/use-test-event.ts';
import { EventsTab } from './EventsTab.tsx';
import { IngressLine } from './IngressLine.tsx';
import { RejectionsTab } from './RejectionsTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { StatusSwitch } from './StatusSwitch.tsx';
import { appsQuery, connectionsQuery, idIn, triggerCrumb, triggerQuery, useFirings } from './trigger-queries.ts';

export const handle: Handle = { crumb: triggerCrumb };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(triggerQuery(idIn(params)), appsQuery, connectionsQuery);

/** The part of the path after the trigger's own. */
function useTab(): TriggerTab {
  const [, , , tab] = useLocation().pathname.split('/');
  return tab === 'destinations' || tab === 'settings' || tab === 'rejections' ? tab : 'events';
}

/**
 * One trigger: events, destinations, settings and rejected requests. Panels of events and destinations open beside or
 * over it.
 */
export function Component() {
  const id = idIn(useParams());
  const { trigger } = usePrefetchedQuery(triggerQuery(id)).data;
  const tab = useTab();
  useFirings([trigger], 'triggerGet');
  const test = useSentTest(trigger, tab);
  return (
    <PanelPage>
      <PageHead
        title={trigger.name}
        meta={<TriggerFacts trigger={trigger} />}
        actions={
          <>
            <TriggerMenu trigger={trigger} />
            <Button icon={Play} reason={test.reason} pending={test.pending} onClick={test.send}>
              Send a test event
            </Button>
          </>
        }
      >
        <Tabs label="Trigger">
          <TabLink render={<NavLink to={path.trigger(id)} />}>Events</TabLink>
          <TabLink render={<NavLink to={path.trigger(id, 'destinations')} />} count={trigger.destinations.length}>
            Destinations
          </TabLink>
          <TabLink render={<NavLink to={path.trigger(id, 'settings')} />}>Settings</TabLink>
          {trigger.ingress ? (
            <TabLink render={<NavLink to={path.trigger(id, 'rejections')} />}>Rejected requests</TabLink>
          ) : null}
        </Tabs>
      </PageHead>
      {trigger.reason ? <Banner tone="bad">{REASON_DETAILS[trigger.reason]}</Banner> : null}
      {trigger.ingress ? <IngressLine key={`ingress ${id}`} trigger={trigger} ingress={trigger.ingress} /> : null}
      {tab === 'events' ? <EventsTab key={`events ${id}`} trigger={trigger} test={test} /> : null}
      {tab === 'destinations' ? <DestinationsTab trigger={trigger} /> : null}
      {tab === 'rejections' ? <RejectionsTab key={`rejections ${id}`} trigger={trigger} /> : null}
      {tab === 'settings' ? <SettingsTab key={`settings ${id}`} trigger={trigger} /> : null}
    </PanelPage>
  );
}

/** On the events tab the new row is the feedback; elsewhere a toast links to it. */
function useSentTest(trigger: Trigger, tab: TriggerTab) {
  const navigate = useNavigate();
  return useTestEvent(trigger, (event) => {
    putEvent(event);
    if (tab === 'events') return;
    toast({
      title: 'Test event sent',
      tone: 'ok',
      action: {
        label: 'Open event',
        onPress: () => void navigate(path.triggerEvent(trigger.trigger_id, event.event_id)),
      },
    });
  });
}

function TriggerFacts({ trigger }: { trigger: Trigger }) {
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5 text-fg-2 max-sm:hidden">
        <SourceMark source={trigger.source} />
        <span className="data truncate">{trigger.event_type}</span>
      </span>
      <StatusSwitch trigger={trigger} />
      {trigger.reason ? <Chip tone="bad">{REASON_WORDS[trigger.reason]}</Chip> : null}
    </>
  );
}

function TriggerMenu({ trigger: { trigger_id } }: { trigger: Trigger }) {
  const navigate = useNavigate();
  const params = { trigger_id };
  const mayReplay = useReason('replayCreate');
  const openSettings = () => void navigate(path.trigger(trigger_id, 'settings'));
  usePageActions([{ label: 'Trigger settings', icon: Settings2, onSelect: openSettings }]);
  return (
    <Menu
      label="More actions for this trigger"
      align="end"
      trigger={(opener) => (
        <IconButton {...opener} icon={MoreHorizontal} label="More actions for this trigger" tip="More" />
      )}
    >
      <MenuItem
        icon={RotateCw}
        reason={mayReplay}
        onSelect={() => void navigate(path.trigger(trigger_id, 'events', { bulk: 'all' }))}
      >
        Replay events…
      </MenuItem>
      <MenuSeparator />
      <CopyAsCurlItem text={() => curlText('triggerTest', { params })}>Copy test request as curl</CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('triggerGet', { params })}>Copy get request as curl</CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('eventList', { params })}>Copy list events request as curl</CopyAsCurlItem>
    </Menu>
  );
}
