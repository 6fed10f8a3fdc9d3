import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LogLevel } from '../../../../contract/states.ts';
import type { Run } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { formatCount, formatDuration, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { cx } from '../../../ui/cx.ts';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import { runLogsQuery } from '../function-queries.ts';
import { type Span, type Tick, timelineOf } from './run-timeline.ts';

const LOOK: Record<Span['look'], string> = {
  quiet: 'bg-fg-3',
  load: 'bg-chart-2',
  work: 'bg-chart-1',
  call: 'bg-chart-1 opacity-60',
  bad: 'bg-bad-solid',
};
const TICK: Record<LogLevel, string> = {
  debug: 'bg-line-2',
  info: 'bg-fg-3',
  warn: 'bg-warn-solid',
  error: 'bg-bad-solid',
};
/** Maximum number of calls drawn; more bars would be too thin to distinguish. */
const CALLS_MAX = 50;

/**
 * The phases of a run's duration: process start, code loading, the handler with its calls and log lines, the response.
 */
export function RunTimeline({ run }: { run: Run }) {
  const params = { function_id: run.function_id, run_id: run.run_id };
  const logs = useInfiniteQuery(runLogsQuery(run));
  const calls = useQuery(q('runCallList', { params }));
  const lines = logs.data?.pages.flatMap((page) => page.events) ?? [];
  const called = calls.data?.calls ?? [];
  const line = timelineOf(run, called.slice(0, CALLS_MAX), lines);
  return (
    <PanelSection
      title="Timeline"
      note={line ? <span className="data">{formatDuration(line.total)} total</span> : undefined}
      aside={<CopyAsCurl size="sm" text={() => curlText('runCallList', { params })} what="the calls of this run" />}
    >
      {line ? (
        <ol aria-label="Timeline" className="grid gap-px text-12">
          {line.spans.map((span) => (
            <SpanRow key={span.key} span={span} total={line.total} />
          ))}
          {lines.length > 0 ? <TickRow ticks={line.ticks} count={lines.length} more={logs.hasNextPage} /> : null}
        </ol>
      ) : (
        <p className="text-fg-2">
          {run.status === 'RUNNING'
            ? 'The run is in progress. Its timeline appears when it ends.'
            : 'The run was interrupted; its duration is unknown.'}
        </p>
      )}
      {calls.error && !calls.data ? (
        <p className="mt-1 text-12 text-fg-3">Its gateway calls could not be loaded.</p>
      ) : null}
      {called.length > CALLS_MAX ? (
        <p className="mt-1 text-12 text-fg-3">
          The first {CALLS_MAX} of {plural(called.length, 'call')}.
        </p>
      ) : null}
    </PanelSection>
  );
}

const ROW = 'grid h-6 grid-cols-[minmax(0,5fr)_minmax(0,7fr)_5.5rem] items-center gap-2';
const GROUND = 'relative h-full border-x border-line';

function SpanRow({ span: { name, from, to, look, call }, total }: { span: Span; total: number }) {
  const percent = (ms: number) => `${total > 0 ? (ms / total) * 100 : 0}%`;
  const took = formatDuration(call ? call.duration_ms : to - from);
  return (
    <li className={ROW} title={`${name}: ${took}, ${formatDuration(from)} after the call`}>
      <span className={cx('truncate', call && 'pl-3')}>
        {call ? (
          <Link className="link data" to={path.gatewayCall(call.connection_id, call.call_id)}>
            {name}
          </Link>
        ) : (
          name
        )}
        {call ? <span className="sr-only">, {call.status ?? 'no response'}</span> : null}
      </span>
      <span className={GROUND} aria-hidden>
        <span
          className={cx('absolute top-2 h-2 min-w-0.5 rounded-[2px]', LOOK[look])}
          style={{ left: `min(${percent(from)}, calc(100% - 2px))`, width: percent(to - from) }}
        />
      </span>
      <span className="data text-right whitespace-nowrap text-fg-2">{took}</span>
    </li>
  );
}

function TickRow({ ticks, count, more }: { ticks: readonly Tick[]; count: number; more: boolean }) {
  return (
    <li className={ROW}>
      <span className="truncate">Log</span>
      <span className={GROUND} aria-hidden>
        {ticks.map(({ at, level }) => (
          <span
            key={at}
            className={cx('absolute top-1.5 h-3 w-0.5', TICK[level])}
            style={{ left: `min(${at * 100}%, calc(100% - 2px))` }}
          />
        ))}
      </span>
      <span className="data text-right whitespace-nowrap text-fg-2">
        {more ? `${formatCount(count)}+ lines` : plural(count, 'line')}
      </span>
    </li>
  );
}
