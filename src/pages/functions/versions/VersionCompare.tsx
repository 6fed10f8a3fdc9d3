import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { changesOf } from '../code/draft.ts';
import { filesQuery, gradualQuery, useIsOwn } from '../function-queries.ts';
import { ChangedFiles, type FileDiff } from './ChangedFiles.tsx';
import { DiffPane, type VersionCompareProps } from './DiffPane.tsx';
import { lineChanges } from './line-changes.ts';
import { VersionRow } from './VersionRow.tsx';
import { SharesHead, SPANS, useShares, VersionShare } from './VersionShare.tsx';

const defaults = { runs: '24h' };

/** On the left the versions and the changed files, on the right the diff. */
export function VersionCompare(props: VersionCompareProps) {
  const { fn, versions, from, to, file, onFile } = props;
  const own = useIsOwn(fn);
  const [{ runs }, set] = useUrlState(defaults);
  const span = SPANS.find(({ value }) => value === runs)?.value ?? '24h';
  const stats = useShares(fn, span, own);
  const { gradual } = useQuery({ ...gradualQuery(fn.function_id), enabled: own }).data ?? {};
  const before = useQuery({ ...filesQuery(fn.function_id, from), enabled: from !== undefined });
  const after = useQuery(filesQuery(fn.function_id, to));
  const diffs = useMemo(
    () => (before.data && after.data && from !== undefined ? diffsOf(before.data.files, after.data.files) : undefined),
    [before.data, after.data, from],
  );
  const shown = diffs?.find((diff) => diff.path === file) ?? diffs?.[0];
  const error = before.error ?? after.error;
  const failure = error ? toApiError(error) : undefined;
  return (
    <div className="relative flex min-h-0 flex-1 max-md:flex-col max-md:overflow-y-auto">
      <div className="flex min-h-0 w-72 flex-none flex-col border-r border-line max-md:w-full max-md:border-r-0 max-md:border-b">
        {own ? <SharesHead fn={fn} stats={stats} span={span} onSpan={(runs) => set({ runs })} /> : null}
        <div
          {...scrollRegion('Versions')}
          className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2 max-md:max-h-60"
        >
          <ol aria-label="Versions">
            {versions.map((version) => (
              <VersionRow
                key={version.version}
                fn={fn}
                version={version}
                share={
                  stats ? (
                    <VersionShare functionId={fn.function_id} version={version.version} stats={stats} span={span} />
                  ) : null
                }
                side={version.version === to ? 'B' : version.version === from ? 'A' : undefined}
                comparable={versions.length > 1}
                onFrom={() => props.onFrom(version.version)}
                onTo={() => props.onTo(version.version)}
                onRollback={props.rollbackReason && (() => props.onRollback(version.version))}
                rollbackReason={props.rollbackReason?.(version.version)}
                gradual={gradual?.version === version.version ? gradual : undefined}
              />
            ))}
          </ol>
          {props.onMore ? (
            <span className="p-3">
              <Button size="sm" pending={props.loadingMore} onClick={props.onMore}>
                Older versions
              </Button>
            </span>
          ) : null}
        </div>
        {diffs ? (
          <ChangedFiles
            diffs={diffs}
            total={Object.keys(after.data?.files ?? {}).length}
            current={shown?.path}
            onOpen={onFile}
          />
        ) : null}
      </div>
      {from === undefined ? (
        <p className="p-4 text-fg-2">This is the only version. After the next deploy the two can be compared here.</p>
      ) : failure ? (
        <ErrorState
          title="The two versions could not be compared"
          detail={failure.message}
          requestId={failure.requestId}
          onRetry={() => void Promise.all([before.refetch(), after.refetch()])}
        />
      ) : diffs ? (
        <DiffPane {...props} from={from} diffs={diffs} shown={shown} />
      ) : (
        <div className="flex-1 p-4">
          <SkeletonLines lines={10} label="Loading both versions" />
        </div>
      )}
    </div>
  );
}

/** The changed files with their line counts. */
export function diffsOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly FileDiff[] {
  return [...changesOf(before, after)].map(([path, change]) => ({
    path,
    change,
    before: before[path] ?? '',
    after: after[path] ?? '',
    ...lineChanges(before[path], after[path]),
  }));
}
