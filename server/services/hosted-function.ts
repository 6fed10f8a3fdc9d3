/** What every verb on functions needs: finding one, and showing it. */
import type { Reply } from '../../contract/operations.ts';
import type { FunctionRuntime } from '../../contract/states.ts';
import { functionUrl } from '../lib/addresses.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import type { Language } from '../runtime/network-policy.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import type { SeenFunction } from '../store/functions.ts';
import * as functions from '../store/functions.ts';
import type { Tx } from '../store/schema.ts';
import * as versions from '../store/versions.ts';
import type { Ctx } from './context.ts';

/** The account's own function, or a 404. */
export async function getOwn(ctx: Ctx, function_id: string): Promise<SeenFunction> {
  return found(await functions.find(ctx.db, ctx.account_id, function_id));
}

/** The account's own function or anybody's PUBLIC one, or a 404. */
export async function getReadable(ctx: Ctx, function_id: string): Promise<SeenFunction> {
  return found(await functions.findReadable(ctx.db, ctx.account_id, function_id));
}

/** The account's own function, held for the rest of the transaction. */
export async function lockOwn(tx: Tx, ctx: Ctx, function_id: string): Promise<FunctionsTable> {
  return found(await functions.lock(tx, ctx.account_id, function_id));
}

function found<T>(row: T | undefined): T {
  if (!row) throw notFound('Function');
  return row;
}

/** A version to be looked at, or the one serving. One that isn't there is a 404, wherever the address names it. */
export async function getVersion(
  ctx: Pick<Ctx, 'db'>,
  fn: FunctionsTable,
  version: number = fn.version,
): Promise<FunctionVersionsTable> {
  const row = await versions.find(ctx.db, fn.account_id, fn.function_id, version);
  if (!row) throw notFound('Version');
  return row;
}

/** The version named by a field of a body, or the one serving. An unknown one is the caller's mistake. */
export async function chooseVersion(
  ctx: Pick<Ctx, 'db'>,
  fn: FunctionsTable,
  version: number = fn.version,
): Promise<FunctionVersionsTable> {
  const row = await versions.find(ctx.db, fn.account_id, fn.function_id, version);
  if (!row) throw badRequest(`version: expected one of this function's versions, 1 to ${fn.last_version}`);
  return row;
}

/** What the functions of a runtime are written in. */
export const languageOf = (runtime: FunctionRuntime): Language => (runtime === 'python3.12' ? 'python' : 'javascript');

export function describe(ctx: Ctx, row: SeenFunction): Reply<'functionGet'>['function'] {
  return {
    function_id: row.function_id,
    name: row.name,
    description: row.description,
    runtime: row.runtime,
    visibility: row.visibility,
    account_id: row.account_id,
    account_name: row.account_name,
    url: functionUrl(ctx.settings.addresses, row.label),
    star_count: row.star_count,
    view_count: row.view_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    network_policy: row.network_policy,
    allowed_hosts: JSON.parse(row.allowed_hosts) as string[],
    invoke_access: row.invoke_access,
    timeout_seconds: row.timeout_seconds,
    starred: row.starred,
  };
}

/** With owner ALL only PUBLIC functions are covered, so no other visibility can be asked for. */
export function assertScope({ owner, visibility }: { owner: 'SELF' | 'ALL'; visibility?: string | undefined }): void {
  if (owner === 'ALL' && visibility !== undefined && visibility !== 'PUBLIC')
    throw badRequest('visibility: expected PUBLIC, or none, when owner is ALL');
}
