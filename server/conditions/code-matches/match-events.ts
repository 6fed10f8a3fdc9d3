/** The payloads of the events `code.matched`; the members are documented in docs/notifications.md. */
import { createHash } from 'node:crypto';
import type { SeenFunction } from '../../functions/store/functions.ts';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import type { ServingChangesTable } from '../../platform/database/tables/function-tables.ts';
import { type Further, MATCHES_PER_HOUR } from '../store/code-match-hours.ts';
import type { WatchedSearch } from '../store/code-watchers.ts';
import { plural, quoted } from '../wording.ts';
import type { Match } from './compare.ts';

export type Begun = { search: WatchedSearch; match: Match };

/** One function that begins to match. */
export function payloadOf(
  { settings }: Services,
  fn: SeenFunction,
  { change_id, from_version, changed_at }: ServingChangesTable,
  { search, match }: Begun,
) {
  const { function_id, name, version } = fn;
  const [first] = match.hits;
  const at = first
    ? `?${new URLSearchParams({ file: first.path, line: String(first.line), version: String(version) })}`
    : '';
  return {
    type: 'code.matched',
    state: 'happened',
    title: `Function ${quoted(name)} begins to match ${quoted(search.name)}`,
    text: `Version ${version} has ${plural(match.hit_count, 'hit')}.${first ? ` First: ${first.path}:${first.line} ${first.text.trim()}` : ''}`,
    severity: 'info',
    link: `${settings.addresses.console_url}/functions/${function_id}${at}`,
    condition_id: conditionId(`${change_id} ${search.saved_search_id} ${version}`),
    occurred_at: now(),
    since: changed_at,
    count: match.hit_count,
    last_error: null,
    resource: { kind: 'function', id: function_id, name },
    details: {
      search_id: search.saved_search_id,
      search_name: search.name,
      q: search.q,
      owner: search.owner,
      function_id,
      function_name: name,
      account_name: fn.account_name,
      visibility: fn.visibility,
      version,
      is_coalesced: false,
      version_before: search.account_id === fn.account_id ? from_version : null,
      hits: match.hits,
    },
  };
}

/** Matches above the limit of an hour: one event for all of them. */
export function furtherPayloadOf(
  { settings }: Services,
  { trigger_id, began_at, further, names, saved_search_id, name, q, owner }: Further,
) {
  const rest = further - names.length;
  return {
    type: 'code.matched',
    state: 'happened',
    title: `${plural(further, 'more function')} ${further === 1 ? 'begins' : 'begin'} to match ${quoted(name)}`,
    text: `More than ${MATCHES_PER_HOUR} began to match within an hour, so the others are one event: ${names.map(quoted).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
    severity: 'info',
    link: `${settings.addresses.console_url}/functions/search?${new URLSearchParams({ q })}`,
    condition_id: conditionId(`${trigger_id} ${began_at}`),
    occurred_at: now(),
    since: began_at,
    count: further,
    last_error: null,
    resource: { kind: 'saved_search', id: saved_search_id, name },
    details: {
      search_id: saved_search_id,
      search_name: name,
      q,
      owner,
      function_id: null,
      function_name: null,
      account_name: null,
      visibility: null,
      version: null,
      is_coalesced: true,
      version_before: null,
      hits: [],
    },
  };
}

function conditionId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
