import { TIMEOUT_SECONDS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import type { FunctionsTable } from '../platform/database/tables/function-tables.ts';
import { closePage, openPage } from '../platform/paging.ts';
import { freeLabel, slugOf } from './function-label.ts';
import { assertGrants, assertMayGrant, grantsAfter, grantsAtFirst, grantsOf } from './gateway-grants.ts';
import { assertScope, chooseVersion, describe, getOwn, getReadable, lockOwn } from './hosted-function.ts';
import { removeRunsOf } from './runs/runs.ts';
import * as store from './store/functions.ts';
import * as reservedLabels from './store/reserved-labels.ts';
import * as stars from './store/stars.ts';
import * as versionStore from './store/versions.ts';
import { buildAndKeep, filesOf, versionRow } from './versions/publish.ts';

/** The caller's functions, or every account's PUBLIC ones, newest first. */
export async function list(ctx: Ctx, input: Input<'functionList'>): Promise<Reply<'functionList'>> {
  const { owner, visibility } = input.query;
  assertScope({ owner, visibility });
  const { limit, after } = openPage(ctx, input);
  const found = await store.list(
    ctx.db,
    ctx.account_id,
    { owner, visibility },
    { limit: limit + 1, before: after?.[0] },
  );
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.function_id]);
  return { functions: rows.map((row) => describe(ctx, row)), next_token };
}

/** A function of the caller, or a PUBLIC one. */
export async function get(ctx: Ctx, { params }: Input<'functionGet'>): Promise<Reply<'functionGet'>> {
  return { function: describe(ctx, await getReadable(ctx, params.function_id)) };
}

/** Creates a function and publishes version 1. If the code does not build, nothing is created. */
export async function create(ctx: Ctx, { body }: Input<'functionCreate'>): Promise<Reply<'functionCreate'>> {
  const settings = {
    visibility: body.visibility ?? 'PRIVATE',
    invoke_access: body.invoke_access ?? 'KEY',
    network_policy: body.network_policy ?? 'ALLOW_ALL',
    allowed_hosts: JSON.stringify(body.allowed_hosts ?? []),
    ...grantsAtFirst(ctx, body),
  } as const;
  assertSettings(settings);
  await assertMayGrant(ctx, body);
  const built = await buildAndKeep(ctx, body.runtime, body.files, body.handler);
  const at = now();
  const fn = {
    function_id: newId(),
    name: body.name,
    description: body.description ?? '',
    runtime: body.runtime,
    ...settings,
    timeout_seconds: body.timeout_seconds ?? TIMEOUT_SECONDS.default,
    version: 1,
    last_version: 1,
    star_count: 0,
    view_count: 0,
    created_at: at,
    updated_at: at,
  };
  await write(ctx, async (tx, about) => {
    about(fn.function_id, { noun: 'function', function_id: fn.function_id });
    const label = await freeLabel(tx, ctx.account_id, body.name);
    await store.insert(tx, ctx.account_id, { ...fn, label });
    await versionStore.insert(tx, ctx.account_id, versionRow(ctx, fn, 1, built, body.message, at));
  });
  return { function: describe(ctx, await getOwn(ctx, fn.function_id)) };
}

/**
 * Changes the given fields. A new name creates a new label and reserves the old one; a new handler publishes a version
 * of the live code; `version` changes the live version.
 */
export async function update(ctx: Ctx, { params, body }: Input<'functionUpdate'>): Promise<Reply<'functionUpdate'>> {
  const { function_id } = params;
  const { handler, version } = body;
  const before = await getOwn(ctx, function_id);
  if (handler !== undefined && version !== undefined)
    throw badRequest('version: expected without handler, which publishes a new version');
  if (version !== undefined) await chooseVersion(ctx, before, version);
  await assertMayGrant(ctx, body);
  const serving = handler === undefined ? undefined : await chooseVersion(ctx, before);
  const built = serving && (await buildAndKeep(ctx, before.runtime, await filesOf(ctx, serving), handler));

  await write(ctx, async (tx, about, note) => {
    about(function_id, { noun: 'function', function_id });
    const fn = await lockOwn(tx, ctx, function_id);
    const at = now();
    const change = {
      ...settingsAfter(fn, body),
      ...(body.name === undefined || slugOf(body.name) === slugOf(fn.name)
        ? {}
        : { label: await freeLabel(tx, ctx.account_id, body.name) }),
      ...(version === undefined ? {} : { version }),
      updated_at: at,
    };
    assertSettings(change);
    note(body, settingsOf(fn), settingsOf({ ...fn, ...change }));
    if (change.label !== undefined) await reservedLabels.reserve(tx, ctx.account_id, fn.label);
    // Other accounts may read versions that were live while the function was PUBLIC; making it PUBLIC again starts
    // over.
    if (change.visibility !== 'PUBLIC') await versionStore.setPublic(tx, ctx.account_id, function_id, null);
    else if (fn.visibility !== 'PUBLIC')
      await versionStore.setPublic(tx, ctx.account_id, function_id, built ? null : (version ?? fn.version));
    else if (version !== undefined) await versionStore.addPublic(tx, ctx.account_id, function_id, version);
    if (built) {
      const number = fn.last_version + 1;
      await versionStore.insert(
        tx,
        ctx.account_id,
        versionRow(ctx, { ...fn, ...change }, number, built, undefined, at),
      );
      await store.update(tx, ctx.account_id, function_id, { ...change, version: number, last_version: number });
    } else await store.update(tx, ctx.account_id, function_id, change);
  });
  return { function: describe(ctx, await getOwn(ctx, function_id)) };
}

/** Deletes a function with its versions, variables and stars at once, with its runs and logs soon after. */
export async function remove(ctx: Ctx, { params }: Input<'functionDelete'>): Promise<Reply<'functionDelete'>> {
  const { function_id } = params;
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    const label = await store.remove(tx, ctx.account_id, function_id);
    if (label === undefined) throw notFound('Function');
    await reservedLabels.reserve(tx, ctx.account_id, label);
    await stars.removeAll(tx, function_id);
  });
  removeRunsOf(ctx, function_id);
  return {};
}

/** What an update can change, as in the API. A new handler is a new version, whose entry is that of its deploy. */
const settingsOf = (fn: FunctionsTable) => ({
  name: fn.name,
  description: fn.description,
  visibility: fn.visibility,
  invoke_access: fn.invoke_access,
  network_policy: fn.network_policy,
  allowed_hosts: JSON.parse(fn.allowed_hosts) as string[],
  ...grantsOf(fn),
  timeout_seconds: fn.timeout_seconds,
  version: fn.version,
});

/** The given values, or the current ones. Only its owner may call a function that is made private. */
function settingsAfter(fn: FunctionsTable, body: Input<'functionUpdate'>['body']) {
  return {
    name: body.name ?? fn.name,
    description: body.description ?? fn.description,
    visibility: body.visibility ?? fn.visibility,
    invoke_access: body.invoke_access ?? (body.visibility === 'PRIVATE' ? 'KEY' : fn.invoke_access),
    network_policy: body.network_policy ?? fn.network_policy,
    allowed_hosts: body.allowed_hosts ? JSON.stringify(body.allowed_hosts) : fn.allowed_hosts,
    ...grantsAfter(fn, body),
    timeout_seconds: body.timeout_seconds ?? fn.timeout_seconds,
  };
}

type Settings = Pick<
  FunctionsTable,
  'visibility' | 'invoke_access' | 'network_policy' | 'allowed_hosts' | 'gateway_policy' | 'gateway_grants'
>;

function assertSettings(settings: Settings): void {
  const { visibility, invoke_access, network_policy, allowed_hosts } = settings;
  assertGrants(settings);
  if (visibility === 'PRIVATE' && invoke_access === 'ANYONE')
    throw badRequest('invoke_access: expected KEY, as a PRIVATE function can only be called by its owner');
  if (network_policy === 'ALLOW_LIST' && allowed_hosts === '[]')
    throw badRequest('allowed_hosts: expected at least one host when network_policy is ALLOW_LIST');
}
