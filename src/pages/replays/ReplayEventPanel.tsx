import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { EventPanel, eventQuery, eventTriggerQuery } from '../../components/events/EventPanel.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { middleCut } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { cellSearch, idIn } from './replay-queries.ts';

type Params = LoaderFunctionArgs['params'];
const idsIn = (params: Params) => ({ trigger_id: params['triggerId'] ?? '', event_id: params['eventId'] ?? '' });

export const handle: Handle = { crumb: ({ params }) => middleCut(params['eventId'] ?? '') };
export const loader = ({ params }: LoaderFunctionArgs) => {
  const ids = idsIn(params);
  return ensure(eventQuery(ids), eventTriggerQuery(ids.trigger_id));
};

/** An event beside the deliveries of a replay. */
export function Component() {
  const params = useParams();
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => void navigate(path.replay(idIn(params)) + cellSearch(search), { preventScrollReset: true });
  return <EventPanel {...idsIn(params)} dryRun={false} onClose={close} />;
}
