/** Searches that an account has saved for all its members. */
import { SAVED_SEARCHES_MAX } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { readQuery } from '../../contract/search/search-query.ts';
import * as accounts from '../accounts/store/accounts.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { SavedSearchesTable } from '../platform/database/tables/function-tables.ts';
import { search } from './search.ts';
import * as store from './store/saved-searches.ts';

type SavedSearch = Reply<'savedSearchCreate'>['saved_search'];

/** The saved searches of the account, by name. */
export async function list(ctx: Ctx, _input: Input<'savedSearchList'>): Promise<Reply<'savedSearchList'>> {
  return { saved_searches: (await store.list(ctx.db, ctx.account_id)).map(describe) };
}

/** Saves a search. 400 for a mistake in the query, a name in use, or too many. */
export async function create(ctx: Ctx, { body }: Input<'savedSearchCreate'>): Promise<Reply<'savedSearchCreate'>> {
  await assertReadable(ctx, body);
  const at = now();
  const row = {
    saved_search_id: newId(),
    name: body.name,
    q: body.q,
    owner: body.owner,
    match_case: body.case,
    created_by: ctx.actor.name,
    created_at: at,
    updated_at: at,
  };
  await write(ctx, async (tx, about) => {
    about(row.saved_search_id);
    const others = await lockAll(tx, ctx);
    if (others.length >= SAVED_SEARCHES_MAX)
      throw badRequest(`name: expected at most ${SAVED_SEARCHES_MAX} saved searches in an account`);
    refuseTaken(others, row);
    await store.insert(tx, ctx.account_id, row);
  });
  return { saved_search: describe({ account_id: ctx.account_id, ...row, triggers: 0 }) };
}

/** Changes a saved search. A query that triggers watch has to remain one of code. */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'savedSearchUpdate'>,
): Promise<Reply<'savedSearchUpdate'>> {
  const { saved_search_id } = params;
  if (body.q !== undefined) await assertReadable(ctx, { q: body.q, owner: 'SELF', case: 'auto' });
  const row = await write(ctx, async (tx, about, note) => {
    about(saved_search_id);
    const all = await lockAll(tx, ctx);
    const before = all.find((each) => each.saved_search_id === saved_search_id);
    if (!before) throw notFound('Saved search');
    await store.lock(tx, ctx.account_id, saved_search_id);
    const changed = {
      ...before,
      name: body.name ?? before.name,
      q: body.q ?? before.q,
      owner: body.owner ?? before.owner,
      match_case: body.case ?? before.match_case,
      updated_at: now(),
    };
    if (before.triggers > 0 && !isOfCode(changed))
      throw badRequest('q: expected a search of code, because a trigger watches it');
    refuseTaken(all, changed);
    const { name, q, owner, match_case, updated_at } = changed;
    await store.update(tx, ctx.account_id, saved_search_id, { name, q, owner, match_case, updated_at });
    note(body, describe(before), describe(changed));
    return changed;
  });
  return { saved_search: describe(row) };
}

/** Deletes a saved search. 409 while a trigger watches it. */
export async function remove(ctx: Ctx, { params }: Input<'savedSearchDelete'>): Promise<Reply<'savedSearchDelete'>> {
  const { saved_search_id } = params;
  await write(ctx, async (tx, about) => {
    about(saved_search_id);
    if (!(await store.lock(tx, ctx.account_id, saved_search_id))) throw notFound('Saved search');
    const row = (await store.list(tx, ctx.account_id)).find((each) => each.saved_search_id === saved_search_id);
    if (row && row.triggers > 0)
      throw conflict('Triggers watch this search: delete them first, or give them another search.');
    await store.remove(tx, ctx.account_id, saved_search_id);
  });
  return {};
}

/**
 * Requires that a trigger can watch this search, and keeps it until the transaction ends. 400 if the account has no such
 * search, or if it does not search code.
 */
export async function holdWatched(tx: Tx, account_id: string, parameters: Record<string, unknown>): Promise<void> {
  const row = await store.hold(tx, account_id, String(parameters['search_id']));
  if (!row) throw badRequest('parameters.search_id: expected the ID of a saved search of this account');
  if (!isOfCode(row))
    throw badRequest('parameters.search_id: expected a search of code, not of names and descriptions');
}

/** Whether a query searches code: in names and descriptions, functions do not begin to match by a deploy. */
export const isOfCode = ({ q }: Pick<SavedSearchesTable, 'q'>): boolean => readQuery(q).mode !== 'ranked';

/** 400 for a query that can't be read. The search threads compile its expressions. */
async function assertReadable(ctx: Ctx, asked: Pick<Input<'functionSearch'>['query'], 'q' | 'owner' | 'case'>) {
  const query = { ...asked, history: false, copies: 'all', sort: 'relevance', limit: 1 } as const;
  await search(ctx, { params: {}, query, body: undefined });
}

async function lockAll(tx: Tx, ctx: Ctx) {
  await accounts.lock(tx, ctx.account_id);
  return store.list(tx, ctx.account_id);
}

function refuseTaken(all: store.CountedSearch[], { saved_search_id, name }: { saved_search_id: string; name: string }) {
  const same = (each: store.CountedSearch) =>
    each.name.toLowerCase() === name.toLowerCase() && each.saved_search_id !== saved_search_id;
  if (all.some(same)) throw badRequest(`name: a saved search already has the name ${name}`);
}

function describe({ account_id: _, match_case, ...row }: store.CountedSearch): SavedSearch {
  return { ...row, case: match_case, is_code: isOfCode(row) };
}
