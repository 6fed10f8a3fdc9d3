/** Used by every operation on functions: finds a function, and describes it. */
import type { Reply } from '../../contract/operations.ts';
import { functionUrl } from '../lib/addresses.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../platform/database/tables/function-tables.ts';
import { grantsOf } from './gateway-grants.ts';
import type { SeenFunction } from './store/functions.ts';
import * as functions from './store/functions.ts';
import * as versions from './store/versions.ts';

/** A function of the account, or 404. */
export async function getOwn(ctx: Ctx, function_id: string): Promise<SeenFunction> {
  return found(await functions.find(ctx.db, ctx.account_id, function_id));
}

/** A function of the account or any PUBLIC one, or 404. */
export async function getReadable(ctx: Ctx, function_id: string): Promise<SeenFunction> {
  return found(await functions.findReadable(ctx.db, ctx.account_id, function_id));
}

/** A function of the account, locked until the transaction ends. */
export async function lockOwn(tx: Tx, ctx: Ctx, function_id: string): Promise<FunctionsTable> {
  return found(await functions.lock(tx, ctx.account_id, function_id));
}

function found<T>(row: T | undefined): T {
  if (!row) throw notFound('Function');
  return row;
}

/**
 * A version that the caller may read, by default the live one. 404 when the version in the path or query does not exist
 * or is not public: other accounts may read the versions that were live while the function was PUBLIC.
 */
export async function getVersion(
  ctx: Pick<Ctx, 'db' | 'account_id'>,
  fn: FunctionsTable,
  version: number = fn.version,
): Promise<FunctionVersionsTable> {
  const row = await findReadableVersion(ctx, fn, version);
  if (!row) throw notFound('Version');
  return row;
}

/** Like above, for a version in a field of the body: 400 with the name of the field. */
export async function chooseReadableVersion(
  ctx: Pick<Ctx, 'db' | 'account_id'>,
  fn: FunctionsTable,
  version: number = fn.version,
  field = 'version',
): Promise<FunctionVersionsTable> {
  const row = await findReadableVersion(ctx, fn, version);
  if (row) return row;
  if (fn.account_id === ctx.account_id) throw unknownVersion(fn, field);
  throw badRequest(`${field}: expected one of this function's public versions; see its list of versions`);
}

async function findReadableVersion(
  ctx: Pick<Ctx, 'db' | 'account_id'>,
  fn: FunctionsTable,
  version: number,
): Promise<FunctionVersionsTable | undefined> {
  const row = await versions.find(ctx.db, fn.account_id, fn.function_id, version);
  const isReadable = fn.account_id === ctx.account_id || row?.is_public || version === fn.version;
  return isReadable ? row : undefined;
}

const unknownVersion = (fn: FunctionsTable, field: string) =>
  badRequest(`${field}: expected one of this function's versions, 1 to ${fn.last_version}`);

/** The owner's version in a field of a body, by default the live one; 400 when it does not exist. */
export async function chooseVersion(
  ctx: Pick<Ctx, 'db'>,
  fn: FunctionsTable,
  version: number = fn.version,
): Promise<FunctionVersionsTable> {
  const row = await versions.find(ctx.db, fn.account_id, fn.function_id, version);
  if (!row) throw unknownVersion(fn, 'version');
  return row;
}

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
    gateway_policy: row.gateway_policy,
    // Ids of connections are of no use to other accounts.
    gateway_grants: row.account_id === ctx.account_id ? grantsOf(row) : [],
    invoke_access: row.invoke_access,
    timeout_seconds: row.timeout_seconds,
    starred: row.starred,
  };
}

/** With owner ALL only PUBLIC functions are included, so no other visibility is allowed. */
export function assertScope({ owner, visibility }: { owner: 'SELF' | 'ALL'; visibility?: string | undefined }): void {
  if (owner === 'ALL' && visibility !== undefined && visibility !== 'PUBLIC')
    throw badRequest('visibility: expected PUBLIC, or none, when owner is ALL');
}
