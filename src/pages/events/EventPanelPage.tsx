import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { EventPanel, eventQuery, eventTriggerQuery } from '../../components/events/EventPanel.tsx';
import { listSearch } from '../../components/events/event-query.ts';
import type { Handle } from '../../layouts/handle.ts';
import { middleCut } from '../../lib/format.ts';

type Params = LoaderFunctionArgs['params'];
const idsIn = (params: Params) => ({ trigger_id: params['triggerId'] ?? '', event_id: params['eventId'] ?? '' });

export const handle: Handle = { crumb: ({ params }) => middleCut(params['eventId'] ?? '') };
export const loader = ({ params }: LoaderFunctionArgs) => {
  const ids = idsIn(params);
  return ensure(eventQuery(ids), eventTriggerQuery(ids.trigger_id));
};

/** An event beside the parent route's list: all events, the events of a trigger, or the deliveries of a replay. */
export function Component() {
  const params = useParams();
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => void navigate({ pathname: '..', search: listSearch(search) }, { preventScrollReset: true });
  // Only lists of events open a dry run.
  return <EventPanel {...idsIn(params)} dryRun={params['replayId'] === undefined} onClose={close} />;
}
