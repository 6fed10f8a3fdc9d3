import { RotateCw, Send } from 'lucide-react';
import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import { CAPTURE } from '../../../../contract/limits.ts';
import type { Reply } from '../../../api/operation.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { IdText } from '../../../components/IdText.tsx';
import { Link } from '../../../components/Link.tsx';
import type { CrumbArgs, Handle } from '../../../layouts/handle.ts';
import { formatBytes, formatCount, formatDuration, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { Panel, PanelSection } from '../../../ui/overlays/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { RunOfCall } from '../calls/RunOfCall.tsx';
import { appNameOf, appsQuery } from '../connection-queries.ts';
import { explainNetworkError } from '../network-errors.ts';
import { CapturedExchange } from './CapturedExchange.tsx';
import { callQuery } from './calls-query.ts';
import { LoggedStatus, requestText } from './logged-call-columns.tsx';

const callIn = (params: CrumbArgs['params']): string => params['callId'] ?? '';

export const handle: Handle = { crumb: ({ params }) => middleCut(callIn(params)) };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(callQuery(callIn(params)), appsQuery);

/** Details of one call of any connection, beside the list. */
export function Component() {
  const { data } = usePrefetchedQuery(callQuery(callIn(useParams())));
  const { apps } = usePrefetchedQuery(appsQuery).data;
  const navigate = useNavigate();
  const { search } = useLocation();
  const { call, capture } = data;
  return (
    <Panel
      mode="beside"
      title={<span className="data font-medium">{requestText(call)}</span>}
      meta={
        <>
          <IdText id={call.call_id} whole noun="call id" />
          <Time at={call.last_at} className="ml-auto" />
        </>
      }
      actions={<Again call={call} capture={capture} />}
      onClose={() => void navigate(path.calls() + search, { preventScrollReset: true })}
    >
      <PanelSection title={call.refused ? 'Refused' : 'Response'} note={<LoggedStatus call={call} />}>
        {call.error === null ? null : (
          <p className="mb-2 wrap-anywhere">
            {call.error} {call.refused ? '' : explainNetworkError(call.error)}
          </p>
        )}
        <KeyValueList items={factsOf(data, call.app === null ? null : appNameOf(apps, call.app))} />
      </PanelSection>
      <PanelSection title="Request and response">
        {capture === null ? <NotCaptured refused={call.refused} /> : <CapturedExchange capture={capture} />}
      </PanelSection>
    </Panel>
  );
}

type Detail = Reply<'callGet'>;

function Again({ call, capture }: Pick<Detail, 'call' | 'capture'>) {
  const { connection_id, method, path: called, call_id } = call;
  if (connection_id === null || called === '*') return null;
  const query = capture === null ? { method, path: called } : { method, path: capture.request.path, replay: call_id };
  return (
    <LinkButton
      icon={capture === null ? Send : RotateCw}
      render={<Link to={path.connection(connection_id, 'try', query)} />}
    >
      {capture === null ? 'Open in request builder' : 'Send again…'}
    </LinkButton>
  );
}

function factsOf({ call, problem }: Detail, appName: string | null) {
  const { connection_id, key_id, run_id, request_id, replay_of } = call;
  return [
    { name: 'Started', value: <Time at={call.at} as="full" precise /> },
    ...(call.calls > 1
      ? [
          { name: 'Equal calls', value: formatCount(call.calls), mono: true },
          { name: 'Last', value: <Time at={call.last_at} as="full" precise /> },
        ]
      : []),
    ...(call.refused
      ? []
      : [
          { name: 'Duration', value: formatDuration(call.duration_ms), mono: true },
          { name: 'Sent', value: formatBytes(call.request_bytes), mono: true },
          { name: 'Received', value: formatBytes(call.response_bytes), mono: true },
        ]),
    { name: 'App', value: appName ?? '–' },
    ...(connection_id === null
      ? []
      : [
          {
            name: 'Connection',
            value: (
              <Link className="link wrap-anywhere" to={path.connection(connection_id)}>
                {call.connection_name ?? middleCut(connection_id)}
              </Link>
            ),
          },
        ]),
    { name: 'Path', value: call.path, mono: true },
    ...(key_id === null
      ? []
      : [
          {
            name: 'API key',
            value: (
              <Link className="link wrap-anywhere" to={path.keyUsage(key_id)}>
                {call.key_name}
              </Link>
            ),
          },
        ]),
    ...(run_id === null ? [] : [{ name: 'Called by', value: <RunOfCall runId={run_id} /> }]),
    ...(problem === null
      ? []
      : [
          {
            name: 'Problem',
            value: (
              <Link className="link wrap-anywhere" to={path.problem(problem.problem_id)}>
                {problem.title}
              </Link>
            ),
          },
        ]),
    ...(replay_of === null
      ? []
      : [
          {
            name: 'Replay of',
            value: (
              <Link className="link data" to={path.call(replay_of)}>
                {middleCut(replay_of)}
              </Link>
            ),
          },
        ]),
    ...(request_id === null ? [] : [{ name: 'Request ID', value: request_id, mono: true }]),
  ];
}

function NotCaptured({ refused }: { refused: boolean }) {
  return (
    <p className="text-12 text-fg-3">
      {refused
        ? 'The call never reached the app, so there is nothing more to show.'
        : `Headers, queries and bodies are stored only while a capture is on, and for ${CAPTURE.days} days. Filter the calls by their app or connection to start one.`}
    </p>
  );
}
