import { useQuery } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { type LoaderFunctionArgs, useLocation, useParams } from 'react-router';
import type { Connection } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { useDebouncedFilter } from '../../../hooks/use-debounced-filter.ts';
import { useNow } from '../../../hooks/use-now.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { formatDuration, formatSpan } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { callQuery } from '../all-calls/calls-query.ts';
import {
  accountQuery,
  appsQuery,
  connectionQuery,
  idIn,
  pathsQuery,
  savedRequestsQuery,
} from '../connection-queries.ts';
import { snippetFiles } from './body/file-bodies.ts';
import { HistoryList } from './HistoryList.tsx';
import { requestHistory, type Sent } from './history.ts';
import { Part } from './Part.tsx';
import { readPasted } from './pasted-request.ts';
import { ReplayNote } from './ReplayNote.tsx';
import { RequestForm } from './RequestForm.tsx';
import { ResponseView } from './ResponseView.tsx';
import { requestOfCall } from './request-of-call.ts';
import { Snippets } from './Snippets.tsx';
import { SavedRequests } from './saved/SavedRequests.tsx';
import type { Opened } from './saved/saved-request.ts';
import { curlSnippet, type SnippetCall } from './snippets.ts';
import { StreamView } from './stream/StreamView.tsx';
import { NO_REST, readRequest, sentPath, type TypedRequest, type TypedRest, whyNotSent } from './typed-request.ts';
import { type Sending, useSender } from './use-sender.ts';

export const handle: Handle = { crumb: 'Try it' };
const defaults = { method: 'GET', path: '/', replay: '' };

/** Loads the paths of the app, and the captured call that is sent again. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<null> {
  const { connection } = await queryClient.query({ ...connectionQuery(idIn(params)), staleTime: 'static' });
  await Promise.all([ensure(pathsQuery(connection.app)), ensure(savedRequestsQuery(connection.app))]);
  const replay = new URL(request.url).searchParams.get('replay');
  // Without it the builder is empty, with a note.
  if (replay) await ensure(callQuery(replay)).catch(() => undefined);
  return null;
}

/** Unsent input by connection: it survives a switch to another tab. Method and path are in the URL. */
const lastTyped = new Map<string, TypedRest>();

/** The request builder. Another captured call to send again is another form. */
export function Component() {
  const callId = new URLSearchParams(useLocation().search).get('replay') ?? '';
  return <Builder key={callId} replayOf={callId} />;
}

/** Sends native requests with this connection's credentials, and shows the response and code. */
function Builder({ replayOf }: { replayOf: string }) {
  const id = idIn(useParams());
  const { connection } = usePrefetchedQuery(connectionQuery(id)).data;
  const app = usePrefetchedQuery(appsQuery).data.apps.find((each) => each.app === connection.app);
  const { paths } = usePrefetchedQuery(pathsQuery(connection.app)).data;
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const [url, setUrl] = useUrlState(defaults);
  const [typedPath, setPath] = useDebouncedFilter(url.path, (next) => setUrl({ path: next }));
  const detail = useQuery({ ...callQuery(replayOf), enabled: replayOf !== '', retry: false });
  const filled = replayOf === '' ? undefined : requestOfCall(detail.data?.capture);
  const [rest, setRest] = useState(filled ?? lastTyped.get(id) ?? NO_REST);
  const [leftOut, setLeftOut] = useState<Sent['leftOut']>([]);
  const [pasted, setPasted] = useState<readonly string[]>();
  const { sending, start, cancel } = useSender(id);
  const isBusy = sending.state === 'sending' || sending.state === 'receiving';
  const answer = useRef<HTMLElement>(null);
  const role = useReason('connectionRequest');
  const reason =
    role ?? (connection.status === 'ACTIVE' ? undefined : 'Only an active connection has credentials to send with.');
  const sent = useSyncExternalStore(requestHistory.subscribe, () => requestHistory.of(id));

  const typed: TypedRequest = { method: url.method, path: typedPath, ...rest };
  const alter = ({ method, path: nextPath, ...change }: Partial<TypedRequest>) => {
    if (method !== undefined) setUrl({ method });
    if (nextPath !== undefined) setPath(nextPath);
    const next = { ...rest, ...change };
    lastTyped.set(id, next);
    setRest(next);
  };
  const paste = (text: string): boolean => {
    const { base_url: apiUrl, gateway_domain: gatewayDomain } = addresses;
    const read = readPasted(text, { appUrl: app?.base_url ?? null, app: connection.app, apiUrl, gatewayDomain });
    if (!read) return false;
    alter(read.change);
    setLeftOut([]);
    setPasted(read.leftOut);
    return true;
  };
  const open = ({ method, path: kept, headers, kind, text, form, parts, leftOut: missing }: Opened) => {
    setUrl({ method, path: kept, replay: undefined });
    setPath(kept);
    alter({ headers, kind, text, form, parts, file: undefined });
    setLeftOut(missing);
  };
  const read = readRequest(typed);
  const call: SnippetCall = {
    baseUrl: addresses.base_url,
    app: connection.app,
    connectionId: id,
    method: typed.method,
    path: sentPath(typedPath),
    ...('body' in read
      ? { headers: read.body.headers?.filter(([name]) => !whyNotSent(name)), body: read.body.body }
      : {}),
    ...snippetFiles(typed),
  };
  return (
    <ScrollPage label="Try it">
      <div className="grid min-h-full content-start xl:grid-cols-2 xl:grid-rows-[auto_auto_auto_1fr]">
        <Part title="Request">
          <RequestForm
            app={app}
            paths={paths}
            typed={typed}
            onType={alter}
            onPaste={paste}
            onSend={(body) => {
              setLeftOut([]);
              setPasted(undefined);
              start(typed, replayOf === '' || filled === undefined ? body : { ...body, replay_of: replayOf });
            }}
            onCancel={cancel}
            sending={isBusy}
            receiving={sending.state === 'receiving'}
            reason={reason}
            tools={
              <>
                <CopyButton text={curlSnippet(call)} label="Copy as curl: this request" size="md">
                  Copy as curl
                </CopyButton>
                <ToAnswer sending={sending} onPress={() => answer.current?.scrollIntoView({ block: 'start' })} />
              </>
            }
            note={
              <>
                {replayOf === '' ? null : <ReplayNote callId={replayOf} filled={filled} />}
                {pasted && pasted.length > 0 ? (
                  <p role="status" className="text-12 text-warn-fg">
                    Filled in without {pasted.join('; ')}.
                  </p>
                ) : null}
                <Note connection={connection} leftOut={leftOut} />
              </>
            }
          />
        </Part>
        <Part title="Response" ref={answer} className="xl:col-start-2 xl:row-span-4 xl:row-start-1 xl:border-l">
          <Outcome sending={sending} />
        </Part>
        <Part title="Code">
          <Snippets
            call={call}
            hostUrl={`${new URL(addresses.base_url).protocol}//${connection.app}.${addresses.gateway_domain}`}
          />
        </Part>
        <Part title="Saved requests">
          <SavedRequests app={connection.app} typed={typed} onOpen={open} />
        </Part>
        <Part title="Recent requests">
          <HistoryList
            sent={sent}
            reason={reason ?? (isBusy ? 'A request is in progress.' : undefined)}
            onOpen={open}
            onSend={(again) => {
              open(again);
              const ready = readRequest(again);
              if ('body' in ready) start(again, ready.body);
            }}
            onClear={() => requestHistory.clear(id)}
          />
        </Part>
      </div>
    </ScrollPage>
  );
}

/** Notes on why the request cannot be sent, or is sent without some of its parts. */
function Note({ connection, leftOut }: { connection: Connection; leftOut: Sent['leftOut'] }) {
  if (connection.status !== 'ACTIVE') {
    return (
      <p className="text-12 text-warn-fg">
        Requests can be sent once the connection is active.{' '}
        <Link className="link underline underline-offset-2" to={path.connection(connection.connection_id)}>
          See its status
        </Link>
      </p>
    );
  }
  if (leftOut.length === 0) return null;
  return (
    <p className="text-12 text-warn-fg">
      Some parts of this request were not stored: {leftOut.join(' and ')}. Enter them again before sending.
    </p>
  );
}

/** On narrow screens the response is below the form: announces it and links to it. */
function ToAnswer({ sending, onPress }: { sending: Sending; onPress: () => void }) {
  if (sending.state !== 'answered') return null;
  const { response, timing } = sending.exchange.answer;
  return (
    <span className="ml-auto xl:hidden">
      <Button variant="ghost" icon={ArrowDown} onClick={onPress}>
        {response ? `${response.status} in ${formatDuration(timing.total_ms)}` : 'No response'}
      </Button>
    </span>
  );
}

function Outcome({ sending }: { sending: Sending }) {
  switch (sending.state) {
    case 'nothing':
      return <p className="text-fg-2">The response appears here: status, headers, body and timing.</p>;
    case 'sending':
      return <Waiting since={sending.since} />;
    case 'receiving':
      return <StreamView arrived={sending.arrived} />;
    case 'canceled':
      return (
        <p role="status" className="text-fg-2">
          Canceled. The app may still have received the request.
        </p>
      );
    case 'refused':
      return <SentError error={sending.error} />;
    case 'answered':
      return <ResponseView key={sending.exchange.at} exchange={sending.exchange} />;
  }
}

function Waiting({ since }: { since: number }) {
  const ms = useNow(1_000) - since;
  return (
    <p className="text-fg-2">
      <span role="status">Waiting for the app</span>
      {ms < 2_000 ? '' : `, for ${formatSpan(ms)}`}…
    </p>
  );
}
