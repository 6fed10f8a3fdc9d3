/** Requests that members of an account save for each other, by app. Secrets are masked as in captured calls. */
import { SAVED_REQUEST_MAX_CHARS, SAVED_REQUESTS_MAX } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { headerOf } from '../../contract/text/header-of.ts';
import * as accounts from '../accounts/store/accounts.ts';
import { write } from '../accounts/write.ts';
import { findApp, holdApp } from '../connections/apps/apps.ts';
import * as store from '../connections/store/saved-requests.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { SavedRequestsTable } from '../platform/database/tables/connection-tables.ts';
import { maskBody, maskHeaders, maskPath, namesOfPlaces, type Secrets } from './captures/mask.ts';

type SavedRequest = Reply<'savedRequestCreate'>['saved_request'];

/** The saved requests of an app, by name. */
export async function list(ctx: Ctx, { params }: Input<'savedRequestList'>): Promise<Reply<'savedRequestList'>> {
  return { saved_requests: (await store.list(ctx.db, ctx.account_id, params.app)).map(describe) };
}

/** Saves a request. 404 if the account has no such app; 400 for a name in use, too many, or one that is too long. */
export async function create(
  ctx: Ctx,
  { params, body }: Input<'savedRequestCreate'>,
): Promise<Reply<'savedRequestCreate'>> {
  const { app } = params;
  const known = await findApp(ctx, ctx.account_id, app);
  if (!known) throw notFound('App');
  const at = now();
  const row: SavedRequestsTable = {
    account_id: ctx.account_id,
    saved_request_id: newId(),
    app,
    name: body.name,
    ...masked(body, known.keyPlaces),
    created_by: ctx.actor.name,
    created_at: at,
    updated_at: at,
  };
  if (row.path.length + row.headers.length + row.body.length > SAVED_REQUEST_MAX_CHARS)
    throw badRequest(`headers: expected at most ${SAVED_REQUEST_MAX_CHARS} characters with path and body`);
  await write(ctx, async (tx, about) => {
    about(row.saved_request_id, changeOf(row.saved_request_id));
    if (!(await holdApp(tx, ctx.account_id, app))) throw notFound('App');
    const others = await lockAll(tx, ctx, app);
    if (others.length >= SAVED_REQUESTS_MAX)
      throw badRequest(`name: expected at most ${SAVED_REQUESTS_MAX} saved requests of an app`);
    refuseTaken(others, row);
    await store.insert(tx, row);
  });
  return { saved_request: describe(row) };
}

/** Renames a saved request. */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'savedRequestUpdate'>,
): Promise<Reply<'savedRequestUpdate'>> {
  const { app, saved_request_id } = params;
  const row = await write(ctx, async (tx, about) => {
    about(saved_request_id, changeOf(saved_request_id));
    const all = await lockAll(tx, ctx, app);
    const before = all.find((each) => each.saved_request_id === saved_request_id);
    if (!before) throw notFound('Saved request');
    const changed = { ...before, name: body.name, updated_at: now() };
    refuseTaken(all, changed);
    const { name, updated_at } = changed;
    await store.rename(tx, ctx.account_id, saved_request_id, { name, updated_at });
    return changed;
  });
  return { saved_request: describe(row) };
}

export async function remove(ctx: Ctx, { params }: Input<'savedRequestDelete'>): Promise<Reply<'savedRequestDelete'>> {
  await write(ctx, async (tx, about) => {
    about(params.saved_request_id, changeOf(params.saved_request_id));
    if (!(await store.remove(tx, ctx.account_id, params.app, params.saved_request_id))) throw notFound('Saved request');
  });
  return {};
}

const changeOf = (saved_request_id: string) => ({ noun: 'saved_request', saved_request_id }) as const;

type Given = Input<'savedRequestCreate'>['body'];

/** Saved requests belong to no connection, so secrets are recognized by their form, and by the names the app has for its key. */
function masked({ method, path, headers = [], body_kind, body = '' }: Given, keyPlaces: ReadonlySet<string>) {
  const secrets: Secrets = { values: [], names: new Set(namesOfPlaces(keyPlaces)) };
  const isForm = body_kind === 'form' || body_kind === 'multipart';
  const type = isForm ? 'application/x-www-form-urlencoded' : (headerOf(headers, 'content-type') ?? '');
  return {
    method,
    path: maskPath(path, secrets),
    headers: JSON.stringify(maskHeaders(headers.flat(), secrets)),
    body_kind,
    body: body_kind === 'none' || body_kind === 'file' ? '' : maskBody(body, type, secrets),
  };
}

/** The account is locked, so that two members can't both add the last one. */
async function lockAll(tx: Tx, ctx: Ctx, app: string): Promise<SavedRequestsTable[]> {
  await accounts.lock(tx, ctx.account_id);
  return store.list(tx, ctx.account_id, app);
}

function refuseTaken(all: SavedRequestsTable[], { saved_request_id, name }: SavedRequestsTable) {
  const same = (each: SavedRequestsTable) =>
    each.name.toLowerCase() === name.toLowerCase() && each.saved_request_id !== saved_request_id;
  if (all.some(same)) throw badRequest(`name: a saved request already has the name ${name}`);
}

function describe({ account_id: _, headers, ...row }: SavedRequestsTable): SavedRequest {
  return { ...row, headers: JSON.parse(headers) as SavedRequest['headers'] };
}
