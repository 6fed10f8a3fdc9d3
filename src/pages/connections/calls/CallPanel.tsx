import { Send } from 'lucide-react';
import { type LoaderFunctionArgs, useLocation, useNavigate, useParams } from 'react-router';
import type { GatewayCall } from '../../../api/entities.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { IdText } from '../../../components/IdText.tsx';
import { Link } from '../../../components/Link.tsx';
import type { CrumbArgs, Handle } from '../../../layouts/handle.ts';
import { formatBytes, formatCount, formatDuration, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { Panel, PanelSection } from '../../../ui/overlays/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { connectionQuery, idIn } from '../connection-queries.ts';
import { repeatPath } from '../manual-calls.ts';
import { explainNetworkError } from '../network-errors.ts';
import { CallStatus } from './call-columns.tsx';
import { useCallCurl } from './call-curl.ts';
import { momentOf } from './call-query.ts';
import { RunOfCall } from './RunOfCall.tsx';

const callIn = (params: CrumbArgs['params']): string => params['callId'] ?? '';
/** The API has no operation for a single call: it is found in the list by its time. */
const momentQuery = (connection_id: string, call_id: string) =>
  q('connectionCallList', { params: { connection_id }, query: { ...momentOf(call_id), limit: 200 } });

export const handle: Handle = { crumb: ({ params }) => middleCut(callIn(params)) };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(momentQuery(idIn(params), callIn(params)));

/** Details of one call, beside the list. */
export function Component() {
  const params = useParams();
  const [id, callId] = [idIn(params), callIn(params)];
  const { calls } = usePrefetchedQuery(momentQuery(id, callId)).data;
  const call = calls.find((each) => each.call_id === callId);
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => void navigate(path.connection(id, 'calls') + search, { preventScrollReset: true });
  if (!call) {
    return (
      <Panel mode="beside" title="Gateway call" onClose={close}>
        <ErrorState title="Call not found" detail="It may be past the account’s retention." />
      </Panel>
    );
  }
  return <Noted call={call} connectionId={id} onClose={close} />;
}

interface NotedProps {
  readonly call: GatewayCall;
  readonly connectionId: string;
  readonly onClose: () => void;
}

function Noted({ call, connectionId, onClose }: NotedProps) {
  const { call_id, at, method, status, error, duration_ms, request_bytes, response_bytes } = call;
  const { connection } = usePrefetchedQuery(connectionQuery(connectionId)).data;
  const curlOf = useCallCurl(connection);
  const again = repeatPath(connection, call);
  return (
    <Panel
      mode="beside"
      title={<span className="data font-medium">{`${method} ${call.path}`}</span>}
      meta={
        <>
          <IdText id={call_id} whole noun="call id" />
          <Time at={at} className="ml-auto" />
        </>
      }
      actions={
        <>
          {again === undefined ? null : (
            <LinkButton icon={Send} render={<Link to={again} />}>
              Open in request builder
            </LinkButton>
          )}
          <CopyButton text={() => curlOf(call)} label={`Copy as curl: ${method} ${call.path}`} size="md">
            Copy as curl
          </CopyButton>
        </>
      }
      onClose={onClose}
    >
      <PanelSection title="Response" note={<CallStatus status={status} />}>
        {error === null ? null : (
          <p className="mb-2 wrap-anywhere">
            {error} {explainNetworkError(error)}
          </p>
        )}
        <KeyValueList
          items={[
            { name: 'Started', value: <Time at={at} as="full" precise /> },
            { name: 'Duration', value: formatDuration(duration_ms), mono: true },
            { name: 'Sent', value: sizeText(request_bytes), mono: true },
            { name: 'Received', value: sizeText(response_bytes), mono: true },
            { name: 'Path', value: call.path, mono: true },
            ...(call.key_id === null
              ? []
              : [{ name: 'API key', value: <KeyOfCall keyId={call.key_id} name={call.key_name} /> }]),
            ...(call.run_id === null ? [] : [{ name: 'Called by', value: <RunOfCall runId={call.run_id} /> }]),
          ]}
        />
      </PanelSection>
      <PanelSection>
        <p className="text-12 text-fg-3">
          The list has no queries, headers or bodies, so the command omits them.{' '}
          <Link className="link underline underline-offset-2" to={path.call(call_id)}>
            Show this call with its links and its captured request
          </Link>
        </p>
      </PanelSection>
    </Panel>
  );
}

/** The name of the key, and the way to its use: limits are proposed there. */
function KeyOfCall({ keyId, name }: { keyId: string; name: string | null }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="wrap-anywhere">{name}</span>
      <Link className="link text-12" to={path.keyUsage(keyId)}>
        Show use of this key
      </Link>
    </span>
  );
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`;
