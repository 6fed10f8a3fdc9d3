/** The filters of the list of all calls in the URL, and the API query they make. */
import { pages, q } from '../../../api/queries.ts';
import { beginOf } from '../../../components/events/event-query.ts';
import { readState, type State } from '../../../lib/search-params.ts';
import { STATUS_CLASSES } from '../../../lib/status-classes.ts';

export const callsDefaults = {
  q: '',
  app: '',
  connection: '',
  status: '',
  method: '',
  key: '',
  run: '',
  error: '',
  min: '',
  time: '',
  after: '',
  before: '',
};
export type CallsFilters = State<typeof callsDefaults>;

export const NO_FILTERS: { [name in keyof CallsFilters]: undefined } = {
  q: undefined,
  app: undefined,
  connection: undefined,
  status: undefined,
  method: undefined,
  key: undefined,
  run: undefined,
  error: undefined,
  min: undefined,
  time: undefined,
  after: undefined,
  before: undefined,
};

export const STATUSES = [...STATUS_CLASSES, { value: 'refused', label: 'Refused by the gateway' }] as const;

export const DURATIONS = [
  { value: '1000', label: 'at least 1 s' },
  { value: '5000', label: 'at least 5 s' },
  { value: '30000', label: 'at least 30 s' },
] as const;

/** Parts of the errors of calls. */
export const ERRORS = [
  { value: 'TIMEOUT', label: 'Timeout' },
  { value: 'ECONNREFUSED', label: 'Connection refused' },
  { value: 'ECONNRESET', label: 'Connection reset' },
  { value: 'ENOTFOUND', label: 'Host not found' },
  { value: 'interrupted', label: 'Response interrupted' },
  { value: 'caller closed', label: 'Caller left' },
] as const;

const instant = (text: string): string | undefined =>
  text === '' || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

/** The API query for these filters; `begin` is the start of a relative time range. */
export function callsInput(filters: CallsFilters, begin: string | undefined) {
  const { q: path, app, connection, status, method, key, run, error, min, after, before } = filters;
  return {
    path: path || undefined,
    app: app || undefined,
    connection_id: connection || undefined,
    status: status || undefined,
    method: method || undefined,
    key_id: key || undefined,
    run_id: run || undefined,
    error: error || undefined,
    min_duration_ms: /^\d{1,8}$/.test(min) ? min : undefined,
    since: begin ?? instant(after),
    until: begin ? undefined : instant(before),
  };
}

export const allCallsQuery = (filters: CallsFilters, begin: string | undefined) =>
  pages('callList', { query: callsInput(filters, begin) });

/** The list query of a URL: lets a loader start the request before rendering. */
export function allCallsAt(url: string) {
  const filters = readState(new URL(url).searchParams, callsDefaults);
  return allCallsQuery(filters, beginOf(filters.time, Date.now()));
}

export const callQuery = (call_id: string) => q('callGet', { params: { call_id } });
/** The apps that were called, the busiest first. */
export const calledAppsQuery = q('connectionStats', { query: { range: '30d' } });
