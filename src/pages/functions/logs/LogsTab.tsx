import { ArrowDownToLine, FlaskConical } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router';
import { LOG_LEVELS } from '../../../../contract/states.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { useDebouncedFilter } from '../../../hooks/use-debounced-filter.ts';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { useLatest } from '../../../hooks/use-latest.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FilteredEmpty, type FilteredEmptyProps } from '../../../ui/FilteredEmpty.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { functionQuery, idIn } from '../function-queries.ts';
import { LogFilters } from './LogFilters.tsx';
import { LogList } from './LogList.tsx';
import type { LogLine } from './log-buffer.ts';
import { PatternNote } from './PatternNote.tsx';
import { mistakeIn, readingOf } from './pattern-reading.ts';
import { useLog } from './use-log.ts';

const defaults = { pattern: '', show: '', version: '', level: '', wrap: '', times: '', line: '', at: '' };
const WORDS = {
  live: 'Live',
  connecting: 'Connecting',
  reconnecting: 'Connection lost. Reconnecting; no lines are lost',
  still: 'Lines around the linked line',
};

export const handle: Handle = { crumb: 'Logs' };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(functionQuery(idIn(params)));

/** Lines wrap on a phone unless the URL says otherwise. */
const isNarrow = () => matchMedia('(width < 40rem)').matches;

const numberIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** The log of the function across all runs, with a live tail. */
export function Component() {
  const functionId = idIn(useParams());
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const [url, set] = useUrlState(defaults);
  const [typed, setTyped] = useDebouncedFilter(url.pattern, (pattern) => set({ pattern }));
  const reading = useMemo(() => readingOf(typed), [typed]);
  const broken = useMemo(() => 'mistake' in readingOf(url.pattern), [url.pattern]);
  const filter_pattern = broken ? undefined : url.pattern.trim() || undefined;
  const version = numberIn(url.version) === undefined ? undefined : url.version;
  const level = LOG_LEVELS.find((each) => each === url.level);
  const show = url.show === 'all' ? ('all' as const) : undefined;
  // a link to a line shows its surroundings; selecting a line of the live tail does not stop it
  const [at, setAt] = useState(() => numberIn(url.at));
  const log = useLog({ functionId, filter_pattern, version, level, show }, at);
  const { lines } = log;

  const [follows, setFollows] = useState(at === undefined);
  const [seen, setSeen] = useState(0);
  const follow = (next: boolean) => {
    setFollows(next);
    setSeen(lines.at(-1)?.timestamp ?? 0);
    if (!next) return;
    setAt(undefined);
    set({ line: undefined, at: undefined });
  };
  const clear = () => set({ pattern: undefined, version: undefined, level: undefined });
  const filters = [
    { name: 'Pattern', value: filter_pattern, onClear: () => set({ pattern: undefined }) },
    { name: 'Level', value: level, onClear: () => set({ level: undefined }) },
    { name: 'Version', value: version && `v${version}`, onClear: () => set({ version: undefined }) },
  ].flatMap(({ value, ...filter }) => (value === undefined ? [] : [{ ...filter, value }]));
  const fresh = follows || at !== undefined ? 0 : countAfter(lines, seen);
  useHotkey('f', () => follow(!follows));

  const [search] = useSearchParams();
  const linkOf = useMemo(() => {
    const rest = new URLSearchParams(search);
    rest.delete('line');
    rest.delete('at');
    const before = rest.size > 0 ? `?${rest}&` : '?';
    // neither a run's ID nor a number needs escaping
    return (line: LogLine) => `${before}line=${line.key}&at=${line.timestamp}`;
  }, [search]);
  const refused = log.error?.status === 400 ? mistakeIn(log.error.message) : undefined;
  const wrap = url.wrap === 'on' || (url.wrap === '' && isNarrow());
  // stable functions: their receivers are not rendered again for each line
  const latest = useLatest({ lines, set, setTyped });
  const getLines = useCallback(() => latest.current.lines, [latest]);
  const setNow = useCallback<typeof set>((...change) => latest.current.set(...change), [latest]);
  const setTypedNow = useCallback((pattern: string) => latest.current.setTyped(pattern), [latest]);
  return (
    <section aria-label="Logs" className="flex min-h-0 min-w-0 flex-1 flex-col pt-2">
      <LogFilters
        functionId={functionId}
        filter_pattern={filter_pattern}
        version={version}
        level={level}
        show={show}
        name={fn.name}
        typed={typed}
        mistaken={'mistake' in reading}
        setTyped={setTypedNow}
        relative={url.times === 'relative'}
        wrap={wrap}
        set={setNow}
        getLines={getLines}
      />
      {typed.trim() || refused ? <PatternNote pattern={typed} reading={refused ?? reading} /> : null}
      {log.error && !refused ? (
        <div className="flex-1 border-t border-line">
          <ErrorState
            title="The log lines could not be loaded"
            detail={log.error.message}
            requestId={log.error.requestId}
            onRetry={log.retry}
          />
        </div>
      ) : log.known || lines.length > 0 || refused ? (
        <LogList
          lines={lines}
          functionId={functionId}
          wrap={wrap}
          relative={url.times === 'relative'}
          follows={follows}
          onFollow={(next) => at === undefined && follow(next)}
          current={url.line || undefined}
          linkOf={linkOf}
          before={log.hasOlder ? <LoadMore label="Load older lines" onLoad={log.loadOlder} /> : null}
          after={
            log.hasNewer ? (
              <LoadMore label="Load newer lines" onLoad={log.loadNewer} />
            ) : lines.length === 0 && !refused ? (
              <NoLines functionId={functionId} filters={filters} onClear={clear} />
            ) : null
          }
        />
      ) : (
        <div className="flex-1 border-t border-line bg-sunken p-4">
          <SkeletonLines lines={8} label="Loading log lines" />
        </div>
      )}
      <TailBar
        fresh={fresh}
        follows={follows}
        onFollow={follow}
        state={log.error && !refused ? '' : WORDS[log.state]}
        lines={lines}
        marked={Boolean(filter_pattern && show)}
      />
    </section>
  );
}

interface TailBarProps {
  /** Lines received since the live tail was paused. */
  fresh: number;
  follows: boolean;
  onFollow: (follows: boolean) => void;
  state: string;
  lines: readonly LogLine[];
  /** Matching lines are highlighted among all lines. */
  marked: boolean;
}

function TailBar({ fresh, follows, onFollow, state, lines, marked }: TailBarProps) {
  return (
    <div className="flex min-h-9 flex-none flex-wrap items-center gap-3 border-t border-line px-4 py-1 text-12 text-fg-3 max-sm:px-3">
      <Button
        size="sm"
        icon={ArrowDownToLine}
        aria-pressed={follows}
        aria-keyshortcuts="f"
        onClick={() => onFollow(!follows)}
      >
        {fresh > 0
          ? `${formatCount(fresh)} new ${fresh === 1 ? 'line' : 'lines'}`
          : follows
            ? 'Live tail: on'
            : 'Live tail'}
      </Button>
      <span role="status">{state}</span>
      <span className="ml-auto">
        {plural(lines.length, 'line')}
        {marked ? `, ${formatCount(lines.filter(({ matches }) => matches).length)} match` : ''}
      </span>
    </div>
  );
}

/** Lines later than the last visible one when the tail was paused: they are at the end, in order of arrival. */
function countAfter(lines: readonly LogLine[], timestamp: number): number {
  return lines.length - 1 - lines.findLastIndex((line) => line.timestamp <= timestamp);
}

function LoadMore({ label, onLoad }: { label: string; onLoad: () => Promise<void> }) {
  const [pending, setPending] = useState(false);
  return (
    <div className="sticky left-0 px-4 py-1">
      <Button
        size="sm"
        pending={pending}
        onClick={() => {
          setPending(true);
          void onLoad().finally(() => setPending(false));
        }}
      >
        {label}
      </Button>
    </div>
  );
}

interface NoLinesProps {
  readonly functionId: string;
  readonly filters: FilteredEmptyProps['filters'];
  readonly onClear: () => void;
}

function NoLines({ functionId, filters, onClear }: NoLinesProps) {
  if (filters.length > 0) return <FilteredEmpty noun="lines" filters={filters} onClearAll={onClear} />;
  return (
    <EmptyState
      title="No lines yet"
      actions={
        <LinkButton icon={FlaskConical} render={<Link to={path.function(functionId, 'code', { test: 'on' })} />}>
          Test it
        </LinkButton>
      }
    >
      Output and results of every run appear here.
    </EmptyState>
  );
}
