import { useInfiniteQuery } from '@tanstack/react-query';
import { WrapText } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { readJsonLine, shownLevel } from '../../../../contract/log-level.ts';
import { toApiError } from '../../../api/api-error.ts';
import type { LogEvent, Run } from '../../../api/entities.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { plainText } from '../../../components/deliveries/terminal-text.ts';
import { LogLines } from '../../../components/runs/LogLines.tsx';
import { useRunTail } from '../../../components/runs/use-run-tail.ts';
import { plural } from '../../../lib/format.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { runLogsQuery } from '../function-queries.ts';
import { PatternNote } from '../logs/PatternNote.tsx';
import { mistakeIn, readingOf } from '../logs/pattern-reading.ts';

const defaults = { pattern: '', wrap: '' };

const asText = (events: readonly LogEvent[]) =>
  events
    .map(
      ({ timestamp, level, message }) =>
        `${new Date(timestamp).toISOString()} ${shownLevel(level, readJsonLine(message))} ${plainText(message)}`,
    )
    .join('\n');

/** The log lines of a run, filtered by a pattern. */
export function RunLogs({ run }: { run: Run }) {
  const params = { function_id: run.function_id, run_id: run.run_id };
  const [{ pattern, wrap }, set] = useUrlState(defaults);
  const reading = useMemo(() => readingOf(pattern), [pattern]);
  // an invalid pattern is not sent
  const filter_pattern = useDeferredValue('mistake' in reading ? '' : pattern.trim()) || undefined;
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    runLogsQuery(run, filter_pattern),
  );
  const read = data?.pages.flatMap((page) => page.events) ?? [];
  const tail = useRunTail(filter_pattern ? undefined : run, read);
  const { events, first } = filter_pattern ? { events: read, first: 1 } : tail;
  const failure = error ? toApiError(error) : undefined;
  const refused = failure?.status === 400 ? mistakeIn(failure.message) : undefined;
  const mistake = refused !== undefined || 'mistake' in reading;
  const wrapped = wrap === 'on';
  return (
    <section aria-label="Logs" className="flex min-h-0 min-w-0 flex-col max-lg:min-h-80">
      <div className="flex flex-none flex-wrap items-center gap-2 px-4 py-2 max-sm:px-3">
        <h2 className="text-13 tracking-normal">Logs</h2>
        <SearchInput
          label="Filter pattern"
          placeholder={'Filter: words, ?any, -not, "a phrase", %regex%, { $.level = "error" }'}
          mono
          value={pattern}
          onChange={(next) => set({ pattern: next })}
          aria-invalid={mistake || undefined}
          className="min-w-40 flex-1"
        />
        <IconButton
          size="sm"
          icon={WrapText}
          label="Wrap long lines"
          aria-pressed={wrapped}
          onClick={() => set({ wrap: wrapped ? undefined : 'on' })}
        />
        <CopyButton text={() => asText(events)} label="Copy the log lines" />
        <CopyAsCurl
          size="sm"
          text={() => curlText('runLogList', { params, query: { filter_pattern } })}
          what="these log lines"
        />
      </div>
      {pattern.trim() || refused ? <PatternNote pattern={pattern} reading={refused ?? reading} /> : null}
      {failure && !refused ? (
        <ErrorState
          title="The log lines could not be loaded"
          detail={failure.message}
          requestId={failure.requestId}
          onRetry={() => void refetch()}
        />
      ) : data || refused ? (
        <LogLines
          events={events}
          wrap={wrapped}
          first={first}
          follow={tail.going}
          onEndNear={
            hasNextPage && !tail.going && !isFetchingNextPage && !error ? () => void fetchNextPage() : undefined
          }
          functionId={run.function_id}
          version={run.version}
          className="min-h-0 flex-1 border-t border-line"
        />
      ) : (
        <div className="flex-1 border-t border-line bg-sunken p-4">
          <SkeletonLines lines={6} label="Loading log lines" />
        </div>
      )}
      <div
        role="status"
        className="flex min-h-8 flex-none items-center gap-3 border-t border-line px-4 text-12 text-fg-3 max-sm:px-3"
      >
        {hasNextPage ? 'First ' : ''}
        {plural(first - 1 + events.length, hasNextPage && filter_pattern ? 'matching line' : 'line')}
        {hasNextPage ? ', more load on scrolling' : filter_pattern && !mistake ? ' match' : ''}.{' '}
        {run.status === 'RUNNING' ? 'Still running: more lines may come.' : 'The run has ended.'}
        {hasNextPage ? (
          <Button size="sm" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        ) : null}
      </div>
    </section>
  );
}
