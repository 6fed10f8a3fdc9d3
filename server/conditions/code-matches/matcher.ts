/**
 * Creates the events `code.matched`: compares each function whose serving version or visibility changed with the saved
 * searches that triggers watch. A change is a row that the deploy wrote in its transaction. A node takes it for a time,
 * compares what served before with what serves now, and then, in one transaction, checks that no other node has
 * completed it, stores the events and removes it. So each begin of a match is one event for each trigger, on any node and
 * after any crash. Several deploys in a row are compared once, the first with the last.
 */
import { createHash } from 'node:crypto';
import { ingestIn } from '../../deliveries/intake/intake.ts';
import * as functionStore from '../../functions/store/functions.ts';
import * as changes from '../../functions/store/serving-changes.ts';
import * as versionStore from '../../functions/store/versions.ts';
import { now } from '../../lib/clock.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import type { ServingChangesTable } from '../../platform/database/tables/function-tables.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { RegexError } from '../../search/query/regex.ts';
import { stillEnabled, type WatchedSearch, watchedSearches } from '../store/code-watchers.ts';
import { plural, quoted } from '../wording.ts';
import { type Match, matchOf } from './compare.ts';

const LOOK_MS = 1_000;
const PER_ROUND = 25;
const LEASE_MS = 120_000;
/** A change that cannot be compared is dropped after this many attempts, in about half an hour. */
const ATTEMPTS_MAX = 12;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 300_000;

type Begun = { search: WatchedSearch; match: Match };

export function createCodeMatcher(services: Services): Worker {
  const { db, log } = services;
  return createLoop({
    name: 'code matcher',
    log,
    everyMs: LOOK_MS,
    async work() {
      for (let count = 0; count < PER_ROUND; count++) {
        const taken = await changes.takeDue(db, LEASE_MS);
        if (!taken) return undefined;
        const { account_id, function_id, attempts } = taken;
        await compare(services, taken).catch(async (error: unknown) => {
          log.warn(
            { ...errorFields(error), account_id, function_id },
            'saved searches could not be compared, retrying',
          );
          await changes.retryIn(db, taken, Math.min(RETRY_MS * 2 ** attempts, RETRY_MAX_MS));
        });
      }
      return 0;
    },
  });
}

async function compare(services: Services, taken: ServingChangesTable): Promise<void> {
  const { db, log } = services;
  const { account_id, function_id, attempts } = taken;
  const fn = await functionStore.find(db, account_id, function_id);
  // Its deletion deletes the change.
  if (!fn) return;
  const begun: Begun[] = [];
  for (const search of await watchedSearches(db, account_id, taken.changed_at)) {
    const match = await beginsToMatch(services, fn, taken, search).catch((error: unknown) => {
      // An expression that an earlier version of the service accepted.
      if (error instanceof RegexError) return null;
      throw error;
    });
    if (match === 'later') {
      if (attempts < ATTEMPTS_MAX) throw new Error('the code of the function is not searched whole yet');
      log.warn({ account_id, function_id, saved_search_id: search.saved_search_id }, 'saved search was not compared');
    } else if (match) begun.push({ search, match });
  }
  const committed = await db.transaction().execute(async (tx) => {
    const current = await changes.lockTaken(tx, taken);
    if (!current) return undefined;
    const enabled = await stillEnabled(
      tx,
      begun.flatMap(({ search }) =>
        search.trigger_ids.map((trigger_id) => ({ account_id: search.account_id, trigger_id })),
      ),
    );
    await changes.complete(tx, taken, current, fn);
    const events = begun.flatMap(({ search, match }) =>
      search.trigger_ids
        .filter((trigger_id) => enabled.has(trigger_id))
        .map((trigger_id) => ({
          account_id: search.account_id,
          trigger_id,
          payload: payloadOf(services, fn, taken, { search, match }),
        })),
    );
    return events.length === 0 ? undefined : (await ingestIn(services, tx, 'sluice', events)).committed;
  });
  committed?.();
}

type Seen = functionStore.SeenFunction;

/** The match that begins with the change: what serves now matches, and what served before did not, or was not visible. */
async function beginsToMatch(
  services: Services,
  fn: Seen,
  { from_version, from_visibility }: ServingChangesTable,
  search: WatchedSearch,
): Promise<Match | null | 'later'> {
  const isSeen = (visibility: string | null) => search.owner === 'SELF' || visibility === 'PUBLIC';
  if (!isSeen(fn.visibility)) return null;
  const wasSeen = from_version !== null && isSeen(from_visibility);
  if (wasSeen && from_version === fn.version) return null;
  const match = await matchOfVersion(services, fn, fn.version, search);
  if (match === null || match === 'later' || !wasSeen) return match;
  const before = await matchOfVersion(services, fn, from_version, search);
  if (before === 'later') return before;
  return before === null ? match : null;
}

async function matchOfVersion(services: Services, fn: Seen, version: number, search: WatchedSearch) {
  const row = await versionStore.find(services.db, fn.account_id, fn.function_id, version);
  return row ? matchOf(services, fn, row, search) : null;
}

/** The payload of an event; the members are documented in docs/reference/deliveries.md. */
function payloadOf(
  { settings }: Services,
  fn: Seen,
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
      version_before: search.account_id === fn.account_id ? from_version : null,
      hits: match.hits,
    },
  };
}

function conditionId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
