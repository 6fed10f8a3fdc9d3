import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { HostedFunction, Run } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { LogLines } from '../../../components/runs/LogLines.tsx';
import { RunChip } from '../../../components/status.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel, PanelSection } from '../../../ui/overlays/Panel.tsx';
import { Duration } from '../../../ui/Quantity.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { runQuery } from '../function-queries.ts';
import { ErrorStack } from '../runs/ErrorStack.tsx';
import { callCurl } from './call-curl.ts';
import { useDraft } from './draft.ts';
import { MessageView } from './MessageView.tsx';
import { RequestForm } from './RequestForm.tsx';
import { FIRST_REQUEST, readRequest, type TypedRequest } from './request.ts';
import { SavedRequests } from './SavedRequests.tsx';

interface TestPanelProps {
  fn: HostedFunction;
  /** The version to run; by default the live one. */
  version: number | undefined;
  onClose: () => void;
}

/** Unsent input by function: it survives a switch to another tab. */
const lastTyped = new Map<string, TypedRequest>();

/** Calls the function and shows the response, the run and its log lines beside the code. */
export function TestPanel({ fn, version, onClose }: TestPanelProps) {
  const { function_id } = fn;
  const params = { function_id };
  const [typed, setTyped] = useState(lastTyped.get(function_id) ?? FIRST_REQUEST);
  const [run, setRun] = useState<Run>();
  const type = (next: TypedRequest) => {
    lastTyped.set(function_id, next);
    setTyped(next);
  };
  const read = readRequest(typed);
  const reason = useReason('functionInvoke');
  const draft = useDraft(function_id);
  const which = version === undefined ? {} : { version };
  const invoke = useApiMutation('functionInvoke', {
    failure: 'inline',
    onSuccess: ({ run: made }) => {
      queryClient.setQueryData(runQuery(function_id, made.run_id).queryKey, made);
      setRun(made);
    },
  });
  return (
    <Panel
      mode="beside"
      title={`Test v${version ?? fn.version}`}
      onClose={onClose}
      meta={
        <>
          <span className="data min-w-0 truncate" title={fn.url}>
            {fn.url}
          </span>
          <CopyButton text={fn.url} label="Copy the function’s URL" />
          <span className="ml-auto">
            <CopyAsCurl
              size="sm"
              text={async () => callCurl(fn, 'body' in read ? read.body : {})}
              what="call the URL"
            />
          </span>
        </>
      }
    >
      <PanelSection>
        <RequestForm
          typed={typed}
          onType={type}
          onSend={(body) => invoke.mutate({ params, body: { ...body, ...which } })}
          sendLabel="Send"
          pending={invoke.isPending}
          reason={reason}
          error={invoke.error}
          curl={(body) => curlText('functionInvoke', { params, body: { ...body, ...which } })}
          note={draft ? 'Runs the deployed version, without your changes.' : undefined}
        />
        <SavedRequests functionId={function_id} typed={typed} onPick={type} />
      </PanelSection>
      {run ? <Outcome run={run} /> : null}
    </Panel>
  );
}

function Outcome({ run }: { run: Run }) {
  const { function_id, run_id, response, error } = run;
  const params = { function_id, run_id };
  const logs = useQuery(q('runLogList', { params, query: { limit: 1000 } }));
  return (
    <>
      <PanelSection
        title="Response"
        note={
          <span role="status" className="inline-flex items-center gap-2">
            <RunChip status={run.status} data={response?.status} />
            <Duration ms={run.duration_ms} />
          </span>
        }
        aside={
          <Link className="link text-12 font-medium" to={path.run(function_id, run_id)}>
            Open run
          </Link>
        }
      >
        {error ? <ErrorStack error={error} functionId={function_id} version={run.version} /> : null}
        {response ? (
          <MessageView label="Response" headers={response.headers} body={response.body} flags={response} />
        ) : (
          <p className="text-fg-2">The run ended without a response.</p>
        )}
      </PanelSection>
      <PanelSection
        title="Logs"
        aside={<CopyAsCurl size="sm" text={() => curlText('runLogList', { params })} what="these log lines" />}
      >
        {logs.data ? (
          <>
            <LogLines events={logs.data.events} functionId={function_id} version={run.version} wrap />
            {logs.data.next_token ? (
              <p className="mt-1 text-12 text-fg-3">
                The first {plural(logs.data.events.length, 'line')};{' '}
                <Link className="link" to={path.run(function_id, run_id)}>
                  the run has all
                </Link>
                .
              </p>
            ) : null}
          </>
        ) : logs.error ? (
          <ErrorState
            title="The log lines could not be loaded"
            detail={toApiError(logs.error).message}
            requestId={toApiError(logs.error).requestId}
            onRetry={() => void logs.refetch()}
          />
        ) : (
          <SkeletonLines lines={3} label="Loading log lines" />
        )}
      </PanelSection>
    </>
  );
}
