import { History, Play } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { Run } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { RunChip } from '../../../components/status.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Duration } from '../../../ui/Quantity.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { MessageView } from '../code/MessageView.tsx';
import { RunAgain } from '../code/RunAgain.tsx';
import { FunctionGuard } from '../FunctionGuard.tsx';
import { functionQuery, idIn, runQuery } from '../function-queries.ts';
import { CompareWith } from '../versions/CompareWith.tsx';
import { ErrorStack } from './ErrorStack.tsx';
import { RunFacts } from './RunFacts.tsx';
import { RunLogs } from './RunLogs.tsx';
import { RunTimeline } from './RunTimeline.tsx';

const defaults = { again: '' };

export const handle: Handle = { crumb: ({ params }) => `Run ${middleCut(params['runId'] ?? '')}` };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(functionQuery(idIn(params)), runQuery(idIn(params), params['runId'] ?? ''));

/** One run: request, response, error, timeline and logs. */
export function Component() {
  const { runId = '', ...rest } = useParams();
  const functionId = idIn(rest);
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const run = usePrefetchedQuery(runQuery(functionId, runId)).data;
  const [url, setUrl] = useUrlState(defaults);
  const reason = useReason('functionInvoke');
  const again = () => setUrl({ again: 'yes' }, { push: true });
  usePageActions([{ label: 'Run again…', icon: Play, reason, onSelect: again }]);
  const params = { function_id: functionId, run_id: runId };
  const failed = run.status === 'ERROR' || run.status === 'TIMEOUT' || (run.response?.status ?? 0) >= 400;
  return (
    // in the one-column layout the head scrolls too: on a phone it is a third of the screen
    <div className="flex min-h-0 flex-1 flex-col max-lg:block max-lg:overflow-y-auto">
      <PageHead
        mono
        title={runId}
        meta={
          <>
            <CopyButton text={runId} label="Copy run id" />
            <RunChip status={run.status} data={run.response?.status} />
          </>
        }
        actions={
          <>
            <CopyAsCurl text={() => curlText('runGet', { params })} what="get this run" />
            <CompareWith run={run} />
            {failed && run.version > 1 ? (
              <LinkButton icon={History} render={<Link to={path.runBisect(functionId, runId)} />}>
                Find breaking version…
              </LinkButton>
            ) : null}
            <Button variant={url.again ? 'default' : 'primary'} icon={Play} reason={reason} onClick={again}>
              Run again…
            </Button>
          </>
        }
      >
        <RunFacts
          facts={[
            {
              name: 'Function',
              value: (
                <Link className="link" to={path.function(functionId)}>
                  {fn.name}
                </Link>
              ),
            },
            {
              name: 'Version',
              value: (
                <span className="inline-flex items-center gap-1.5">
                  <Link className="link data" to={path.functionLine(functionId, { version: run.version })}>
                    v{run.version}
                  </Link>
                  {run.version === fn.version ? <Tag>live</Tag> : null}
                </span>
              ),
            },
            { name: 'Started', value: <Time at={run.started_at ?? run.created_at} as="full" precise /> },
            { name: 'Duration', value: run.status === 'RUNNING' ? 'running' : <Duration ms={run.duration_ms} /> },
            { name: 'Called by', value: <CalledBy run={run} /> },
          ]}
        />
      </PageHead>
      <div className="relative grid min-h-0 flex-1 grid-cols-[minmax(360px,2fr)_minmax(0,3fr)] border-t border-line max-lg:block">
        <div
          {...scrollRegion('Request and response')}
          className="relative min-h-0 overflow-y-auto border-r border-line focus-visible:-outline-offset-2 max-lg:border-r-0 max-lg:border-b"
        >
          <h2 className="sr-only">Request and response</h2>
          {run.error ? (
            <PanelSection title="Error" note={run.error.name}>
              <ErrorStack error={run.error} functionId={functionId} version={run.version} />
            </PanelSection>
          ) : null}
          <RunTimeline run={run} />
          <PanelSection title="Request">
            <p className="data mb-2 wrap-anywhere">
              {run.request.method} {run.request.raw_path}
              {run.request.raw_query_string ? `?${run.request.raw_query_string}` : ''}
            </p>
            <MessageView label="Request" headers={run.request.headers} body={run.request.body} flags={run.request} />
          </PanelSection>
          <PanelSection
            title="Response"
            note={run.response ? <span className="data">{run.response.status}</span> : undefined}
          >
            {run.response ? (
              <MessageView
                label="Response"
                headers={run.response.headers}
                body={run.response.body}
                flags={run.response}
              />
            ) : (
              <p className="text-fg-2">
                {run.status === 'RUNNING' ? 'No response yet.' : 'The run ended without a response.'}
              </p>
            )}
          </PanelSection>
        </div>
        <RunLogs run={run} />
        {url.again ? <RunAgain key={runId} run={run} onClose={() => setUrl({ again: undefined })} /> : null}
      </div>
      <FunctionGuard functionId={functionId} />
    </div>
  );
}

function CalledBy({ run: { cause, caller, request, key_id, key_name } }: { run: Run }) {
  if (!cause) {
    return (
      <span className="data" title={request.user_agent || undefined}>
        {request.source_ip}
        {key_id === null ? null : (
          <>
            {' '}
            with{' '}
            <Link className="link wrap-anywhere" to={path.keyUsage(key_id)}>
              {key_name}
            </Link>
          </>
        )}
      </span>
    );
  }
  return (
    <Link className="link" to={path.event(cause.trigger_id, cause.event_id)}>
      {caller === 'TRANSFORM' ? 'transformation of ' : ''}event {middleCut(cause.event_id)}, attempt {cause.attempt}
    </Link>
  );
}
