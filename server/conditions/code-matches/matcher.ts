/**
 * Creates the events `code.matched`: compares each function whose serving version or visibility changed with the saved
 * searches that triggers watch. A change is a row that the deploy wrote in its transaction. A node takes it for a time,
 * compares what served before with what serves now, and then, in one transaction, checks that no other node has
 * completed it, stores the events and removes it. So each begin of a match is one event for each trigger, on any node and
 * after any crash. Several deploys in a row are compared once, the first with the last. A trigger has at most a hundred
 * events in an hour: the functions above that are counted in the same transaction, and are one event at its end.
 */
import { ingestIn } from '../../deliveries/intake/intake.ts';
import * as functionStore from '../../functions/store/functions.ts';
import * as changes from '../../functions/store/serving-changes.ts';
import * as versionStore from '../../functions/store/versions.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import type { ServingChangesTable } from '../../platform/database/tables/function-tables.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { RegexError } from '../../search/query/regex.ts';
import { countMatch, isFurtherDue, takeFurther } from '../store/code-match-hours.ts';
import { stillEnabled, type WatchedSearch, watchedSearches } from '../store/code-watchers.ts';
import { type Match, matchOf } from './compare.ts';
import { type Begun, furtherPayloadOf, payloadOf } from './match-events.ts';

const LOOK_MS = 1_000;
const PER_ROUND = 25;
const LEASE_MS = 120_000;
/** A change that cannot be compared is dropped after this many attempts, in about half an hour. */
const ATTEMPTS_MAX = 12;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 300_000;

export function createCodeMatcher(services: Services): Worker {
  const { db, log } = services;
  return createLoop({
    name: 'code matcher',
    log,
    everyMs: LOOK_MS,
    async work() {
      await reportFurther(services);
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

/** Reports the matches above the limit of triggers whose hour is over. */
async function reportFurther(services: Services): Promise<void> {
  while (await isFurtherDue(services.db)) {
    const committed = await services.db.transaction().execute(async (tx) => {
      const found = await takeFurther(tx);
      // Undefined if another node reports them.
      if (!found?.is_enabled) return found && (() => undefined);
      const { account_id, trigger_id } = found;
      const event = { account_id, trigger_id, payload: furtherPayloadOf(services, found) };
      return (await ingestIn(services, tx, 'sluice', [event])).committed;
    });
    if (!committed) return;
    committed();
  }
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
    const events = begun
      .flatMap(({ search, match }) => search.trigger_ids.map((trigger_id) => ({ trigger_id, search, match })))
      .filter(({ trigger_id }) => enabled.has(trigger_id))
      .toSorted((a, b) => (a.trigger_id < b.trigger_id ? -1 : 1))
      .map(({ trigger_id, search, match }) => ({
        account_id: search.account_id,
        trigger_id,
        payload: payloadOf(services, fn, taken, { search, match }),
      }));
    const single: typeof events = [];
    for (const event of events) if (await countMatch(tx, event, fn.name)) single.push(event);
    return single.length === 0 ? undefined : (await ingestIn(services, tx, 'sluice', single)).committed;
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
