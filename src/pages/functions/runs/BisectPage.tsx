import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Search, Square } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { toApiError } from '../../../api/api-error.ts';
import type { HostedFunction } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { RunChip } from '../../../components/status.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { RadioCards } from '../../../ui/controls/RadioCards.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { filesQuery, functionQuery, idIn, runQuery, versionsQuery } from '../function-queries.ts';
import { ChangedFiles } from '../versions/ChangedFiles.tsx';
import { DiffPane } from '../versions/DiffPane.tsx';
import { diffsOf } from '../versions/VersionCompare.tsx';
import { type BisectState, useBisect } from './use-bisect.ts';

const defaults = { from: '', egress: '', passing: '', failing: '', file: '' };
const EGRESS = [
  { value: 'NONE', title: 'Blocked', description: 'The runs reach no network address and no connected app.' },
  {
    value: 'POLICY',
    title: 'Same as the function',
    description: 'The runs may repeat the side effects of the failed run.',
  },
] as const;
const OUTCOME = { SAME: 'same failure', OTHER: 'different failure', PASSES: 'passes' } as const;

export const handle: Handle = { crumb: ({ params }) => `First failure of run ${middleCut(params['runId'] ?? '')}` };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(functionQuery(idIn(params)), runQuery(idIn(params), params['runId'] ?? ''), versionsQuery(idIn(params)));

const numberIn = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/**
 * Finds the first version with the run's failure: sends its request to older versions, and shows the change that
 * introduced the failure.
 */
export function Component() {
  const { runId = '', ...rest } = useParams();
  const functionId = idIn(rest);
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const run = usePrefetchedQuery(runQuery(functionId, runId)).data;
  const [url, set] = useUrlState(defaults);
  const params = { function_id: functionId, run_id: runId };
  const from = Math.min(numberIn(url.from) ?? 1, run.version);
  const egress = url.egress === 'POLICY' ? 'POLICY' : 'NONE';
  const reason = useReason('runBisect');
  const { state, start, stop } = useBisect(params, ({ passing, failing }) =>
    set({ passing: String(passing), failing: String(failing), file: undefined }),
  );
  const going = state.status === 'going';
  const over = state.status === 'ALWAYS' || state.status === 'NOT_REPRODUCED';
  const found = { passing: numberIn(url.passing), failing: numberIn(url.failing) };
  return (
    <>
      <PageHead
        title="First failing version"
        meta={
          <>
            <Link className="link data" to={path.run(functionId, runId)}>
              Run {middleCut(runId)}
            </Link>
            <RunChip status={run.status} data={run.response?.status} />
          </>
        }
        actions={
          <CopyAsCurl
            text={() => curlText('runBisect', { params, body: { from, egress } })}
            what="find the breaking version"
          />
        }
      />
      <div className="flex min-h-0 flex-1 border-t border-line max-md:flex-col max-md:overflow-y-auto">
        <div
          {...scrollRegion('Search')}
          className="flex w-80 flex-none flex-col gap-3 overflow-y-auto border-r border-line p-4 focus-visible:-outline-offset-2 max-md:w-full max-md:border-r-0 max-md:border-b"
        >
          <p className="text-fg-2">
            Sends the stored request of this run to older versions of {fn.name} until the first failing version is
            found.
          </p>
          <Field label="Oldest version to test">
            <Select
              mono
              value={String(from)}
              onChange={(event) => set({ from: event.target.value === '1' ? undefined : event.target.value })}
              options={Array.from({ length: run.version }, (_, index) => ({
                value: String(index + 1),
                label: `v${index + 1}`,
              }))}
            />
          </Field>
          <RadioCards
            label="Network access"
            options={EGRESS}
            value={egress}
            onChange={(next) => set({ egress: next === 'NONE' ? undefined : next })}
          />
          {going ? (
            <Button icon={Square} onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button
              variant="primary"
              icon={Search}
              reason={reason}
              onClick={() => {
                set({ passing: undefined, failing: undefined, file: undefined });
                void start({ from, egress });
              }}
            >
              Find breaking version
            </Button>
          )}
          <p role="status" className="text-fg-2">
            {wordsOf(state, run.version, found)}
          </p>
          <TestedVersions functionId={functionId} steps={state.steps} />
          {state.error ? (
            <ErrorState
              title="The search stopped"
              detail={state.error.message}
              requestId={state.error.requestId}
              onRetry={() => void start({ from, egress })}
            />
          ) : null}
        </div>
        {found.passing !== undefined && found.failing !== undefined ? (
          <FoundDiff
            fn={fn}
            passing={found.passing}
            failing={found.failing}
            file={url.file}
            onFile={(file) => set({ file })}
          />
        ) : (
          <p className="p-4 text-fg-3 max-md:hidden">
            {over ? 'No breaking version found.' : 'The change that broke it will appear here.'}
          </p>
        )}
      </div>
    </>
  );
}

function TestedVersions({ functionId, steps }: { functionId: string; steps: BisectState['steps'] }) {
  if (steps.length === 0) return null;
  return (
    <ol aria-label="Versions tested" className="grid gap-1 text-12">
      {steps.map((step) => (
        <li key={step.run_id} className="flex min-h-6 items-center gap-2">
          <span className="data w-8">v{step.version}</span>
          <RunChip status={step.status} data={step.response_status ?? undefined} />
          <span className="text-fg-2">{OUTCOME[step.outcome]}</span>
          <Link className="link ml-auto" to={path.run(functionId, step.run_id)}>
            Run of v{step.version}
          </Link>
        </li>
      ))}
    </ol>
  );
}

interface Found {
  readonly passing: number | undefined;
  readonly failing: number | undefined;
}

const foundWords = (passing: number, failing: number) =>
  `v${failing} is the first version that fails; v${passing} does not.`;

/** The progress of the search. Before a search, the stored result of an earlier one, from a link or a reload. */
function wordsOf({ status, passing, failing, steps }: BisectState, ran: number, found: Found): string {
  switch (status) {
    case 'idle':
      return found.passing && found.failing ? foundWords(found.passing, found.failing) : '';
    case 'going':
      return failing === null
        ? `Testing v${ran} again…`
        : `v${failing} fails${passing === null ? '' : `, v${passing} doesn’t`}. Continuing…`;
    case 'FOUND':
      return foundWords(passing ?? 0, failing ?? 0);
    case 'ALWAYS':
      return `v${failing} fails as well, so the failure is older than the versions tested.`;
    case 'NOT_REPRODUCED':
      return `v${ran} did not fail in the same way this time, so the failure depends on more than the request and the code.`;
    case 'stopped':
      return steps.length > 0 ? 'Stopped.' : '';
    default:
      return '';
  }
}

interface FoundDiffProps {
  fn: HostedFunction;
  passing: number;
  failing: number;
  file: string;
  onFile: (file: string) => void;
}

/** The changes of the first failing version. */
function FoundDiff({ fn, passing, failing, file, onFile }: FoundDiffProps) {
  const before = useQuery(filesQuery(fn.function_id, passing));
  const after = useQuery(filesQuery(fn.function_id, failing));
  const { data: versionPages } = useInfiniteQuery(versionsQuery(fn.function_id));
  const versions = versionPages?.pages.flatMap((page) => page.versions) ?? [];
  const diffs = useMemo(
    () => (before.data && after.data ? diffsOf(before.data.files, after.data.files) : undefined),
    [before.data, after.data],
  );
  const [nothing] = useState(() => () => {});
  const error = before.error ?? after.error;
  if (error) {
    const { message, requestId } = toApiError(error);
    const retry = () => void Promise.all([before.refetch(), after.refetch()]);
    return <ErrorState title="The code could not be loaded" detail={message} requestId={requestId} onRetry={retry} />;
  }
  if (!diffs) {
    return (
      <div className="flex-1 p-4">
        <SkeletonLines lines={10} label="Loading both versions" />
      </div>
    );
  }
  const shown = diffs.find((diff) => diff.path === file) ?? diffs[0];
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col max-md:min-h-[70vh]">
      <ChangedFiles
        diffs={diffs}
        total={Object.keys(after.data?.files ?? {}).length}
        current={shown?.path}
        onOpen={onFile}
        className="max-h-36 border-b border-line"
      />
      <DiffPane
        fn={fn}
        versions={versions}
        from={passing}
        to={failing}
        file={file}
        rollback={false}
        onFile={onFile}
        onFrom={nothing}
        onTo={nothing}
        onRollback={nothing}
        rollbackReason={undefined}
        onMore={undefined}
        loadingMore={false}
        diffs={diffs}
        shown={shown}
      />
    </div>
  );
}
