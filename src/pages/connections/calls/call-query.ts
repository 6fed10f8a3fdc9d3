/** The URL state of the list of calls: its filters, and the API query they make. */
import { CALL_RANGES } from '../../../../contract/states.ts';
import { pages, q } from '../../../api/queries.ts';
import { beginOf } from '../../../components/events/event-query.ts';
import { readState, type State } from '../../../lib/search-params.ts';
import { STATUS_CLASSES } from '../../../lib/status-classes.ts';

export const callDefaults = {
  status: '',
  method: '',
  key: '',
  time: '',
  after: '',
  before: '',
  range: '',
  figures: 'charts',
};
export type CallFilters = State<typeof callDefaults>;

type StatusClass = (typeof STATUS_CLASSES)[number]['value'];

export type Range = (typeof CALL_RANGES)[number];
/** The chosen range of the charts. */
export const rangeOf = ({ range }: CallFilters): Range | undefined => CALL_RANGES.find((each) => each === range);

const instant = (text: string): string | undefined =>
  text === '' || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

/** The API query for these filters; `begin` is the start of a relative time range. */
export function callInput({ status, method, key, after, before }: CallFilters, begin: string | undefined) {
  return {
    status: STATUS_CLASSES.find(({ value }) => value === status)?.value satisfies StatusClass | undefined,
    method: method || undefined,
    key_id: key || undefined,
    since: begin ?? instant(after),
    until: begin ? undefined : instant(before),
  };
}

export const callsQuery = (connection_id: string, filters: CallFilters, begin: string | undefined) =>
  pages('connectionCallList', { params: { connection_id }, query: callInput(filters, begin) });

export const statsQuery = (connection_id: string, range: Range) =>
  q('connectionCallStats', { params: { connection_id }, query: { range } });

/** The list query of a URL: lets a loader start the request before rendering. */
export function callsAt(url: string, connection_id: string) {
  const filters = readState(new URL(url).searchParams, callDefaults);
  return [
    callsQuery(connection_id, filters, beginOf(filters.time, Date.now())),
    statsQuery(connection_id, rangeOf(filters) ?? '24h'),
  ];
}

/** The first 48 bits of a call's ID are its start time in ms: enough to find the call. */
export function momentOf(call_id: string): { since: string; until: string } {
  const ms = Number.parseInt(call_id.replaceAll('-', '').slice(0, 12), 16);
  return { since: new Date(ms).toISOString(), until: new Date(ms + 1).toISOString() };
}
