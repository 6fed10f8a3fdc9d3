import { useQuery } from '@tanstack/react-query';
import { Rocket, Square } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { ShadowChip } from '../../../components/shadows/ShadowChip.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { formatCount, formatDuration, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { functionQuery, idIn } from '../function-queries.ts';
import { requestColumns } from './request-columns.tsx';
import { ShadowMatrix } from './ShadowMatrix.tsx';
import { DEPLOYED, requestsQuery, type Shadow, type ShadowRequest, shadowIdIn, shadowQuery } from './shadow-queries.ts';

const defaults = { differs: '' };

export const handle: Handle = { crumb: 'Shadow' };
export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const differs = new URL(request.url).searchParams.get('differs') === 'true';
  return ensure(
    functionQuery(idIn(params)),
    shadowQuery(idIn(params), shadowIdIn(params)),
    requestsQuery(idIn(params), shadowIdIn(params), differs),
  );
};

const rowsOf = (page: { requests: ShadowRequest[] }) => page.requests;
const rowId = (request: ShadowRequest) => request.run_id;
const rowName = (request: ShadowRequest) => `${request.method} ${request.path}, run ${request.run_id}`;
const rowVersion = ({ state }: ShadowRequest) => state;

/** A shadow: its progress, what differs between the versions, and the deploy. */
export function Component() {
  const params = useParams();
  const function_id = idIn(params);
  const shadow_id = shadowIdIn(params);
  const { function: fn } = usePrefetchedQuery(functionQuery(function_id)).data;
  const detail = usePrefetchedQuery(shadowQuery(function_id, shadow_id)).data;
  const { shadow, matrix } = detail;
  const [url, set] = useUrlState(defaults);
  const differs = url.differs === 'true';
  const list = useList(requestsQuery(function_id, shadow_id, differs), { rows: rowsOf, rowId });
  const overtaken = fn.version !== shadow.live_version && fn.version !== shadow.version;
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <PageHead
        title={`Version ${shadow.version} on past requests`}
        meta={
          <>
            <Link className="link" to={path.functionDiff(function_id, shadow.live_version, shadow.version)}>
              Compared with version {shadow.live_version}
            </Link>
            {shadow.filter.problem_id ? (
              <Link className="link" to={path.problem(shadow.filter.problem_id)}>
                On requests of a problem
              </Link>
            ) : null}
            <ShadowChip shadow={shadow} />
          </>
        }
        actions={<Actions fn={fn} shadow={shadow} overtaken={overtaken} />}
      >
        {overtaken ? (
          <Banner tone="warn">
            Version {fn.version} became live after this comparison with version {shadow.live_version}.
          </Banner>
        ) : null}
        <div className="grid gap-3 px-4 pb-3 max-sm:px-3">
          <Progress shadow={shadow} />
          <Findings shadow={shadow} live={fn.version === shadow.version} />
          <div className="flex flex-wrap gap-x-10 gap-y-3">
            <ShadowMatrix shadow={shadow} matrix={matrix} />
            {shadow.done > 0 ? <Figures detail={detail} /> : null}
          </div>
        </div>
      </PageHead>
      <div className="flex min-h-9 flex-none items-center border-t border-line px-4 max-sm:px-3">
        <Checkbox
          label="Only requests that differ"
          checked={differs}
          onChange={(event) => set({ differs: event.target.checked ? 'true' : undefined })}
        />
      </div>
      <div className="flex min-h-72 flex-1 flex-col">
        <QueryTable
          label="Requests"
          noun="requests"
          list={list}
          columns={requestColumns(shadow)}
          rowName={rowName}
          rowVersion={rowVersion}
          rowLink={({ run_id }) => path.shadowRequest(function_id, shadow_id, run_id)}
          filters={
            differs ? [{ name: 'Only', value: 'those that differ', onClear: () => set({ differs: undefined }) }] : []
          }
          onClearFilters={() => set({ differs: undefined })}
          empty={<EmptyState title="No requests">The requests of this shadow are past their retention.</EmptyState>}
        />
      </div>
    </div>
  );
}

function Progress({ shadow: { total, done, skipped, status } }: { shadow: Shadow }) {
  const share = total === 0 ? 0 : ((done + skipped) / total) * 100;
  return (
    <div>
      <p role="status" className="mb-1.5 text-13">
        {formatCount(done)} of {plural(total, 'request')} compared
        {skipped > 0 ? <span className="text-fg-2">, {formatCount(skipped)} skipped</span> : null}
        {status === 'RUNNING' ? '…' : '.'}
      </p>
      <div
        role="progressbar"
        aria-label="Requests compared"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done + skipped}
        className="flex h-1.5 overflow-hidden rounded-full bg-press"
      >
        <span className="bg-accent-solid" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

/** The verdict in words. */
function Findings({ shadow, live }: { shadow: Shadow; live: boolean }) {
  const { verdict, findings, reason, deployed_at, status } = shadow;
  if (status === 'RUNNING') return null;
  return (
    <div className="grid gap-1 text-13">
      {deployed_at ? (
        <p>
          It was deployed <Time at={deployed_at} />.
        </p>
      ) : live ? (
        <p>It is live.</p>
      ) : null}
      {reason ? <p className="text-fg-2">{reason}</p> : null}
      {verdict === 'PASSED' && findings.length === 0 ? (
        <p className="text-fg-2">Nothing speaks against a deploy.</p>
      ) : null}
      {findings.length > 0 ? (
        <ul className="grid gap-0.5">
          {findings.map(({ code, message }) => (
            <li key={code} className={verdict === 'FAILED' && !QUIET.has(code) ? 'text-bad-fg' : 'text-fg-2'}>
              {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Findings that do not fail a version. */
const QUIET: ReadonlySet<string> = new Set(['ALL_BLOCKED', 'SOME_BLOCKED', 'NOT_COMPLETE']);

type Detail = Reply<'shadowGet'>;

function Figures({ detail: { shadow, responses, logs, durations, hosts } }: { detail: Detail }) {
  const query = { version: shadow.version, since: shadow.live_version };
  const code = useQuery(q('functionTrust', { params: { function_id: shadow.function_id }, query }));
  const { changes } = code.data?.trust ?? {};
  const inCode = [...(changes?.hosts.added ?? []), ...(changes?.apps.added ?? [])];
  const added = hosts.filter(({ before, after }) => before === 0 && after > 0);
  return (
    <KeyValueList
      items={[
        { name: 'Responses', value: equalities(responses) },
        { name: 'Logs', value: equalities(logs) },
        {
          name: 'Duration p50, p95',
          mono: true,
          value: `${spans(durations.before)} → ${spans(durations.after)}`,
        },
        {
          name: 'Blocked calls',
          value:
            hosts.length === 0
              ? 'none'
              : hosts.map(({ host, before, after }) => (
                  <span key={host} className="block">
                    <span className="data">{host}</span>{' '}
                    <span className="text-fg-3">
                      {formatCount(before)} → {plural(after, 'request')}
                    </span>
                    {added.some((each) => each.host === host) ? <span className="text-warn-fg"> new</span> : null}
                  </span>
                )),
        },
        ...(inCode.length > 0 ? [{ name: 'New in the code', mono: true, value: inCode.join(', ') }] : []),
      ]}
    />
  );
}

function equalities({ same, different, varying }: Detail['responses']): string {
  const words = [`${formatCount(same)} the same`, `${formatCount(different)} different`];
  if (varying > 0) words.push(`${formatCount(varying)} vary with both versions`);
  return words.join(', ');
}

const spans = ({ p50_ms, p95_ms }: Detail['durations']['before']) =>
  [p50_ms, p95_ms].map((ms) => (ms === null ? '–' : formatDuration(ms))).join(', ');

function Actions({ fn, shadow, overtaken }: { fn: HostedFunction; shadow: Shadow; overtaken: boolean }) {
  const { function_id, shadow_id, version, verdict, status, findings } = shadow;
  const [asking, setAsking] = useState(false);
  const params = { function_id, shadow_id };
  const mayDeploy = useReason('functionUpdate');
  const mayCancel = useReason('shadowCancel');
  const cancel = useApiMutation('shadowCancel', {
    failure: 'The shadow was not canceled',
    invalidates: ['shadowGet', 'shadowList'],
  });
  const deploy = useApiMutation('functionUpdate', {
    failure: 'The version was not deployed',
    invalidates: DEPLOYED,
    onSuccess: () => {
      setAsking(false);
      toast({ title: `Version ${version} of ${fn.name} is live`, tone: 'ok' });
    },
  });
  const send = () => deploy.mutateAsync({ params: { function_id }, body: { version } }).catch(() => undefined);
  const isSafe = verdict === 'PASSED' && !overtaken;
  return (
    <>
      <span className="max-md:hidden">
        <CopyAsCurl text={() => curlText('shadowGet', { params })} what="get this shadow" />
      </span>
      {status === 'RUNNING' ? (
        <Button icon={Square} reason={mayCancel} pending={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          Cancel
        </Button>
      ) : (
        <Link className="link px-1" to={path.functionTry(function_id, version, shadow.filter.problem_id)}>
          Try again
        </Link>
      )}
      {status === 'RUNNING' || fn.version === version ? null : (
        <Button
          variant={isSafe ? 'primary' : 'default'}
          icon={Rocket}
          reason={mayDeploy}
          pending={deploy.isPending}
          onClick={() => (isSafe ? void send() : setAsking(true))}
        >
          {isSafe ? 'Deploy' : 'Deploy anyway…'}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Deploy version ${version}?`}
        confirmLabel="Deploy version"
        onConfirm={send}
      >
        {findings.map(({ message }) => message).join(' ')} {overtaken ? `Version ${fn.version} is live now. ` : ''}
        New calls will run version {version}.
      </ConfirmDialog>
    </>
  );
}
