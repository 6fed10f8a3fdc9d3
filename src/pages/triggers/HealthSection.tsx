import { lazy, Suspense } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { Destination } from '../../api/entities.ts';
import { FigureControls } from '../../charts/FigureControls.tsx';
import { RANGE_WORDS, RANGES } from '../../charts/ranges.ts';
import { useFittingStats } from '../../charts/use-fitting-stats.ts';
import { ageWords } from '../../components/deliveries/destination-words.ts';
import { type EventStats, lastBusy } from '../../components/events/event-stats.ts';
import { useNow } from '../../hooks/use-now.ts';
import { formatCount, formatDuration, formatPercent, formatSpan, plural } from '../../lib/format.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { cx } from '../../ui/cx.ts';
import { PanelSection } from '../../ui/overlays/Panel.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import {
  destinationStatsQuery,
  type ResponseCount,
  responseCounts,
  totalsOf,
} from './destinations/destination-stats.ts';

const HealthCharts = lazy(() => import('./HealthCharts.tsx'));

const defaults = { range: '', figures: 'none' };
const FIGURES = [
  { value: 'none', label: 'Summary' },
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
] as const;

export interface HealthSectionProps {
  readonly triggerId: string;
  readonly destination: Destination;
}

/** The destination's health: success rate, latency, response codes and queue. */
export function HealthSection({ triggerId, destination }: HealthSectionProps) {
  const [url, setUrl] = useUrlState(defaults);
  const chosen = RANGES.find(({ value }) => value === url.range)?.value;
  const figures = FIGURES.find(({ value }) => value === url.figures)?.value ?? 'none';
  const { range, stats, error } = useFittingStats(
    (each) => destinationStatsQuery(each, triggerId, destination.destination_id),
    chosen,
  );
  return (
    <PanelSection
      title="Health"
      note={RANGE_WORDS[range]}
      aside={
        <span className="flex items-end gap-2 max-sm:flex-col max-sm:gap-1">
          <FigureControls
            label="Health"
            range={range}
            onRange={(next) => setUrl({ range: next })}
            ways={FIGURES}
            as={figures}
            onAs={(next) => setUrl({ figures: next })}
          />
        </span>
      }
    >
      <QueueFigures queue={destination.queue} />
      {error ? <p className="text-12 text-bad-fg">{toApiError(error).message}</p> : null}
      {stats ? <Figures stats={stats} destination={destination} /> : <SkeletonLines lines={2} />}
      {stats && figures !== 'none' ? (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <HealthCharts stats={stats} range={RANGE_WORDS[range]} as={figures} />
        </Suspense>
      ) : null}
    </PanelSection>
  );
}

const AGE_MS = 10_000;

function QueueFigures({ queue }: { queue: Destination['queue'] }) {
  const nowMs = useNow(AGE_MS);
  const { waiting, at_least, held, drain_seconds, health } = queue;
  if (waiting === 0) return null;
  const tone = health === 'RETRYING' || health === 'HEALTHY' ? undefined : 'warn';
  return (
    <dl aria-label="Queue" className="mb-3 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
      <Figure name="Waiting" tone={tone}>
        {formatCount(waiting)}
        {at_least ? '+' : ''}
      </Figure>
      <Figure name="Held by circuit breaker" tone={held > 0 ? 'warn' : undefined}>
        {formatCount(held)}
      </Figure>
      <Figure name="Oldest waiting">{ageWords(queue, nowMs)}</Figure>
      <Figure name="Drain time">
        {drain_seconds === null ? 'unknown' : `about ${formatSpan(drain_seconds * 1000)}`}
      </Figure>
    </dl>
  );
}

function Figures({ stats, destination }: { stats: EventStats; destination: Destination }) {
  const { attempts, share } = totalsOf(stats);
  const p95 = lastBusy(stats)?.p95_ms ?? null;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
      <Figure name="Success rate" tone={share !== null && share < 0.9 ? 'bad' : undefined}>
        {share === null ? '–' : formatPercent(share)}
        <span className="ml-1 text-12 font-normal text-fg-3">of {plural(attempts, 'attempt')}</span>
      </Figure>
      <Figure name="Latency p95, latest">{p95 === null ? '–' : formatDuration(p95)}</Figure>
      <Figure name="Response codes">
        <ResponseCodes counts={responseCounts(stats)} />
      </Figure>
      {destination.disable_at ? (
        <Figure name="Auto-disable" tone={destination.warning >= 70 ? 'bad' : 'warn'}>
          <Time at={destination.disable_at} />
        </Figure>
      ) : (
        <Figure name="Failing since">
          {destination.failing_since ? <Time at={destination.failing_since} /> : '–'}
        </Figure>
      )}
    </dl>
  );
}

const TONE = { bad: 'text-bad-fg', warn: 'text-warn-fg' };

interface FigureProps {
  readonly name: string;
  readonly tone?: keyof typeof TONE | undefined;
  readonly children: React.ReactNode;
}
function Figure({ name, tone, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-fg-3">{name}</dt>
      <dd className={cx('font-medium wrap-anywhere', tone && TONE[tone])}>{children}</dd>
    </div>
  );
}

const CODES_SHOWN = 4;

function ResponseCodes({ counts }: { counts: readonly ResponseCount[] }) {
  if (counts.length === 0) return '–';
  return (
    <span className="flex flex-wrap gap-x-2">
      {counts.slice(0, CODES_SHOWN).map(({ word, count, good }) => (
        <span key={word} className={cx('whitespace-nowrap', !good && 'text-bad-fg')}>
          {word} ×{formatCount(count)}
        </span>
      ))}
      {counts.length > CODES_SHOWN ? <span className="text-fg-3">and others</span> : null}
    </span>
  );
}
