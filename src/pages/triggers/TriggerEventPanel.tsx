import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { EventPanel, eventQuery, eventTriggerQuery } from '../../components/events/EventPanel.tsx';
import { listSearch } from '../../components/events/event-query.ts';
import type { Handle } from '../../layouts/handle.ts';
import { middleCut } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';

type Params = LoaderFunctionArgs['params'];
const idsIn = (params: Params) => ({ trigger_id: params['triggerId'] ?? '', event_id: params['eventId'] ?? '' });

export const handle: Handle = { crumb: ({ params }) => middleCut(params['eventId'] ?? '') };
export const loader = ({ params }: LoaderFunctionArgs) => {
  const ids = idsIn(params);
  return ensure(eventQuery(ids), eventTriggerQuery(ids.trigger_id));
};

/** An event beside its trigger's list. */
export function Component() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const ids = idsIn(useParams());
  const close = () => void navigate(path.trigger(ids.trigger_id) + listSearch(search), { preventScrollReset: true });
  return <EventPanel {...ids} onClose={close} />;
}
