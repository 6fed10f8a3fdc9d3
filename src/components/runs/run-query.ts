/** The filters of the run list in the URL, and the queries for them. */
import { RUN_CALLERS, RUN_STATUSES, type RunCaller } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { type PagesQuery, pages } from '../../api/queries.ts';
import { sentenceCase, type TimeZone } from '../../lib/format.ts';
import type { SelectOption } from '../../ui/controls/Select.tsx';
import { rangeWords } from '../TimeRangeFilter.tsx';
import { edgeText } from './RunDurations.tsx';

export const runFilterDefaults = {
  q: '',
  function: '',
  status: '',
  version: '',
  caller: '',
  key: '',
  since: '',
  until: '',
  min: '',
  max: '',
};
export type RunFilter = typeof runFilterDefaults;

export const SPANS: readonly { value: string; label: string; ms: number }[] = [
  { value: '1h', label: 'Last hour', ms: 3_600_000 },
  { value: '24h', label: 'Last 24 hours', ms: 86_400_000 },
  { value: '7d', label: 'Last 7 days', ms: 7 * 86_400_000 },
  { value: '30d', label: 'Last 30 days', ms: 30 * 86_400_000 },
];
/** FAILED covers ERROR and TIMEOUT. */
export const RUN_OUTCOMES: readonly SelectOption[] = [
  { value: 'FAILED', label: 'Failed' },
  ...RUN_STATUSES.map((status) => ({ value: status, label: status === 'OK' ? 'OK' : sentenceCase(status) })),
];
export const CALLER_WORDS: Record<RunCaller, string> = {
  EVENT: 'Trigger event',
  KEY: 'URL with API key',
  ANYONE: 'Public URL',
  API: 'Invoke API',
  CONSOLE: 'Console',
  TEST: 'Destination test',
  BISECT: 'Bisect',
  TRANSFORM: 'Transformation',
};
export const CALLERS: readonly SelectOption[] = RUN_CALLERS.map((value) => ({ value, label: CALLER_WORDS[value] }));

/** The instant of `since`, which is an instant or a relative span; a span is rounded down to minutes. */
function instantOf(since: string): string | undefined {
  const span = SPANS.find(({ value }) => value === since);
  if (span) return new Date(Math.floor((Date.now() - span.ms) / 60_000) * 60_000).toISOString();
  return Number.isNaN(Date.parse(since)) ? undefined : new Date(since).toISOString();
}

/** The label of an absolute time range. */
export function fixedTime({ since, until }: RunFilter, zone: TimeZone): string | undefined {
  const after = SPANS.some(({ value }) => value === since) ? '' : since;
  return rangeWords({ time: '', after, before: until }, zone);
}

const wholeMs = (text = '') => (/^\d{1,8}$/.test(text) ? text : undefined);

/** The label of a duration filter. */
export function durationWords(min: string, max: string): string {
  const from = min === '' ? '' : `from ${edgeText(Number(min))}`;
  return [from, max === '' ? '' : `under ${edgeText(Number(max))}`].filter((part) => part !== '').join(', ');
}

/** The query parameters for these filters; invalid values are ignored. */
export function runQueryOf(filter: Partial<RunFilter>) {
  return {
    q: filter.q?.trim() || undefined,
    status: ([...RUN_STATUSES, 'FAILED'] as const).find((each) => each === filter.status),
    caller: RUN_CALLERS.find((each) => each === filter.caller),
    key_id: filter.key || undefined,
    version: /^[1-9]\d{0,8}$/.test(filter.version ?? '') ? filter.version : undefined,
    since: instantOf(filter.since ?? ''),
    until: instantOf(filter.until ?? ''),
    min_duration: wholeMs(filter.min),
    max_duration: wholeMs(filter.max),
  };
}

const filterIn = (search: URLSearchParams): Partial<RunFilter> => Object.fromEntries(search);

/** The list query for these filters or URL parameters, also for loaders. */
export function runsQuery(
  filter: Partial<RunFilter> | URLSearchParams,
  functionId?: string,
): PagesQuery<Reply<'runListAll'>> {
  const given = filter instanceof URLSearchParams ? filterIn(filter) : filter;
  const query = runQueryOf(given);
  return functionId === undefined
    ? pages('runListAll', { query: { ...query, function_id: given.function || undefined } })
    : pages('runList', { params: { function_id: functionId }, query });
}
