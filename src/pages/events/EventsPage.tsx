import { useQuery } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import type { LoaderFunctionArgs } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../components/CopyAsCurl.tsx';
import { EventFilterBar } from '../../components/EventFilterBar.tsx';
import { EventTable } from '../../components/EventTable.tsx';
import { eventListAt, eventListInput } from '../../components/event-query.ts';
import { Link } from '../../components/Link.tsx';
import { useEventList } from '../../components/use-event-list.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import type { Handle } from '../../layouts/handle.ts';
import { PanelPage } from '../../layouts/PanelPage.tsx';
import { path } from '../../lib/path.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { PageHead } from '../../ui/PageHead.tsx';

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
      Every event a trigger receives is kept here with its payload, its deliveries and each attempt, and can be
      replayed.
    </EmptyState>
  );
}

export const handle: Handle = { crumb: 'Events' };
/** Nothing is waited for: the frame of the list is there at once, and its rows are on their way. */
export function loader({ request }: LoaderFunctionArgs): null {
  ensure(eventListAt(request.url, undefined), newestTriggersQuery).catch(() => undefined);
  return null;
}

/** The events of every trigger. */
export function Component() {
  const events = useEventList();
  const { list, filters, begin } = events;
  const triggers = (useQuery(newestTriggersQuery).data?.triggers ?? []).map(({ trigger_id, name }) => ({
    value: trigger_id,
    label: name,
  }));
  const query = { ...eventListInput(filters, begin), trigger_id: filters.trigger || undefined };
  return (
    <PanelPage>
      <PageHead
        title="Events"
        meta={<LivePill count={list.waiting} noun="events" onShow={list.show} />}
        actions={
          <span className="max-sm:hidden">
            <CopyAsCurl text={() => curlText('eventListAll', { query })} what="this list" />
          </span>
        }
      />
      <EventFilterBar events={events} triggers={triggers} />
      <EventTable events={events} triggers={triggers} empty={<NoEvents />} />
    </PanelPage>
  );
}
