import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { conflict } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../../platform/database/tables/function-tables.ts';
import { closePage, openPage } from '../../platform/paging.ts';
import { chooseVersion, getOwn, getReadable, getVersion, lockOwn } from '../hosted-function.ts';
import * as functionStore from '../store/functions.ts';
import * as store from '../store/versions.ts';
import { downloadUrl } from './downloads.ts';
import { type BuiltCode, buildAndKeep, filesOf, versionRow } from './publish.ts';

/** Versions, newest first; other accounts see the public ones of a PUBLIC function. */
export async function list(ctx: Ctx, input: Input<'versionList'>): Promise<Reply<'versionList'>> {
  const fn = await getReadable(ctx, input.params.function_id);
  const { limit, after } = openPage(ctx, input);
  const before = after?.[0] === undefined ? undefined : Number(after[0]);
  const publicAnd = fn.account_id === ctx.account_id ? undefined : fn.version;
  const found = await store.list(ctx.db, fn.account_id, fn.function_id, { limit: limit + 1, before, publicAnd });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [String(row.version)]);
  return { versions: rows.map((row) => describe(fn, row)), next_token };
}

export async function get(ctx: Ctx, { params }: Input<'versionGet'>): Promise<Reply<'versionGet'>> {
  const fn = await getReadable(ctx, params.function_id);
  return describe(fn, await getVersion(ctx, fn, params.version));
}

/** Publishes a version, and makes it live unless `serve` is false. Without a handler, that of the live one is used. */
export async function create(ctx: Ctx, { params, body }: Input<'versionCreate'>): Promise<Reply<'versionCreate'>> {
  const { function_id } = params;
  const before = await getOwn(ctx, function_id);
  checkReplaced(before, body.replaces);
  const handler = body.handler ?? (await chooseVersion(ctx, before)).handler;
  const built = await buildAndKeep(ctx, before.runtime, body.files, handler);
  const version = await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    const fn = await lockOwn(tx, ctx, function_id);
    checkReplaced(fn, body.replaces);
    return addVersion(tx, ctx, fn, built, body);
  });
  return { version: describe({ version: body.serve ? version.version : before.version }, version) };
}

/** Inserts the next version of a locked function. Other accounts can read it once it was live while PUBLIC. */
export async function addVersion(
  tx: Tx,
  ctx: Ctx,
  fn: FunctionsTable,
  built: BuiltCode,
  { message, serve }: { message?: string | undefined; serve: boolean },
): Promise<FunctionVersionsTable> {
  const { function_id } = fn;
  const at = now();
  const number = fn.last_version + 1;
  const row = versionRow(ctx, fn, number, built, message, at);
  const added = await store.insert(tx, ctx.account_id, serve ? row : { ...row, is_public: false });
  await functionStore.update(tx, ctx.account_id, function_id, {
    ...(serve ? { version: number } : {}),
    last_version: number,
    updated_at: at,
  });
  return added;
}

/** 409 when another version is live now, so that a concurrent deploy is not replaced unnoticed. */
function checkReplaced(fn: Pick<FunctionsTable, 'version'>, replaces: number | undefined): void {
  if (replaces === undefined || replaces === fn.version) return;
  throw conflict(`replaces: version ${fn.version} is live now, not version ${replaces}; nothing was published`);
}

/** The code. A read by another account is counted. */
export async function files(ctx: Ctx, { params, query }: Input<'functionFiles'>): Promise<Reply<'functionFiles'>> {
  const version = await look(ctx, params.function_id, query.version);
  return { version: version.version, handler: version.handler, files: await filesOf(ctx, version) };
}

/** A signed URL of the code, valid for ten minutes. */
export async function download(ctx: Ctx, { params, query }: Input<'functionCode'>): Promise<Reply<'functionCode'>> {
  const version = await look(ctx, params.function_id, query.version);
  return {
    download_url: downloadUrl(ctx, version.code_sha256),
    sha256: version.code_sha256,
    size: version.code_size,
  };
}

async function look(ctx: Ctx, function_id: string, number: number | undefined): Promise<FunctionVersionsTable> {
  const fn = await getReadable(ctx, function_id);
  const version = await getVersion(ctx, fn, number);
  if (fn.account_id !== ctx.account_id) await functionStore.countView(ctx.db, fn.account_id, function_id);
  return version;
}

export const describe = (fn: Pick<FunctionsTable, 'version'>, row: FunctionVersionsTable): Reply<'versionGet'> => ({
  version: row.version,
  code_size: row.code_size,
  runtime: row.runtime,
  created_at: row.created_at,
  code_sha256: row.code_sha256,
  handler: row.handler,
  message: row.message,
  created_by: row.created_by,
  serving: row.version === fn.version,
  public: row.is_public,
});
