/** Filters of the list of events that an account has saved, and the number of events that match each. */
import { COUNTED_EVENTS_MAX, SAVED_FILTERS_MAX } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { CallRange } from '../../../contract/states.ts';
import * as accounts from '../../accounts/store/accounts.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { SavedFiltersTable, Tx } from '../../platform/database/schema.ts';
import * as eventPages from '../store/events/event-pages.ts';
import type { EventFilter } from '../store/events/events.ts';
import * as store from '../store/events/saved-filters.ts';
import { filterOf } from './events.ts';
import type { FilterCount } from './filter-counts.ts';

type SavedFilter = Reply<'savedFilterCreate'>['saved_filter'];

/** The saved filters of the account, by name. */
export async function list(ctx: Ctx, _input: Input<'savedFilterList'>): Promise<Reply<'savedFilterList'>> {
  return { saved_filters: (await store.list(ctx.db, ctx.account_id)).map(describe) };
}

/** Saves a filter for all members of the account. */
export async function create(ctx: Ctx, { body }: Input<'savedFilterCreate'>): Promise<Reply<'savedFilterCreate'>> {
  const at = now();
  const row = {
    saved_filter_id: newId(),
    name: body.name,
    filter: JSON.stringify(body.filter),
    created_by: ctx.actor.name,
    created_at: at,
    updated_at: at,
  };
  await write(ctx, async (tx, about) => {
    about(row.saved_filter_id, { noun: 'saved_filter', saved_filter_id: row.saved_filter_id });
    const others = await lockAll(tx, ctx);
    if (others.length >= SAVED_FILTERS_MAX)
      throw badRequest(`name: expected at most ${SAVED_FILTERS_MAX} saved filters in an account`);
    refuseTaken(others, row);
    await store.insert(tx, ctx.account_id, row);
  });
  return { saved_filter: describe(row) };
}

/** Renames a saved filter, or replaces its conditions. */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'savedFilterUpdate'>,
): Promise<Reply<'savedFilterUpdate'>> {
  const { saved_filter_id } = params;
  const row = await write(ctx, async (tx, about, note) => {
    about(saved_filter_id, { noun: 'saved_filter', saved_filter_id });
    const all = await lockAll(tx, ctx);
    const before = all.find((each) => each.saved_filter_id === saved_filter_id);
    if (!before) throw notFound('Saved filter');
    const changes = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.filter === undefined ? {} : { filter: JSON.stringify(body.filter) }),
      updated_at: now(),
    };
    const changed = { ...before, ...changes };
    refuseTaken(all, changed);
    await store.update(tx, ctx.account_id, saved_filter_id, changes);
    note(body, describe(before), describe(changed));
    return changed;
  });
  return { saved_filter: describe(row) };
}

/** Deletes a saved filter. Its events stay. */
export async function remove(ctx: Ctx, { params }: Input<'savedFilterDelete'>): Promise<Reply<'savedFilterDelete'>> {
  const { saved_filter_id } = params;
  await write(ctx, async (tx, about) => {
    about(saved_filter_id, { noun: 'saved_filter', saved_filter_id });
    if (!(await store.remove(tx, ctx.account_id, saved_filter_id))) throw notFound('Saved filter');
  });
  return {};
}

/** The time for the counts of one account. A filter that matches little is searched for its share of it. */
const BUDGET_MS = 300;
const SHARE_MAX_MS = 50;

/** Counts the events of each saved filter, newest first, at most every few seconds for an account. */
export async function counts(ctx: Ctx, _input: Input<'savedFilterCounts'>): Promise<Reply<'savedFilterCounts'>> {
  const { db, account_id } = ctx;
  const counts = await ctx.memory.filterCounts.read(account_id, async () => {
    const rows = await store.list(db, account_id);
    const budgetMs = Math.min(SHARE_MAX_MS, BUDGET_MS / rows.length);
    const counted: FilterCount[] = [];
    for (const { saved_filter_id, filter } of rows) {
      const given = { max: COUNTED_EVENTS_MAX, budgetMs };
      counted.push({ saved_filter_id, ...(await eventPages.count(db, account_id, conditionsOf(filter), given)) });
    }
    return counted;
  });
  return { counts };
}

const HOUR_MS = 3_600_000;
const RANGE_MS: Record<CallRange, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

function conditionsOf(text: string): EventFilter {
  const { received_within, ...filter } = JSON.parse(text) as SavedFilter['filter'];
  if (received_within === undefined) return filterOf(filter);
  const received_after = new Date(Date.now() - RANGE_MS[received_within]).toISOString();
  return filterOf({ ...filter, received_after });
}

async function lockAll(tx: Tx, { account_id }: Ctx): Promise<SavedFiltersTable[]> {
  await accounts.lock(tx, account_id);
  return store.list(tx, account_id);
}

type Named = Pick<SavedFiltersTable, 'saved_filter_id' | 'name'>;

function refuseTaken(all: Named[], { saved_filter_id, name }: Named): void {
  const other = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (other && other.saved_filter_id !== saved_filter_id) throw badRequest('name: another saved filter has this name');
}

function describe({ filter, ...row }: Omit<SavedFiltersTable, 'account_id'>): SavedFilter {
  const { saved_filter_id, name, created_by, created_at, updated_at } = row;
  const conditions = JSON.parse(filter) as SavedFilter['filter'];
  return { saved_filter_id, name, filter: conditions, created_by, created_at, updated_at };
}
