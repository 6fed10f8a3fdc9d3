import type { Input, Reply } from '../../contract/operations.ts';
import type { Ctx } from '../platform/context.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../platform/database/tables/function-tables.ts';
import type { Named, Reach } from '../runtime/reach/findings.ts';
import { create } from './functions.ts';
import { grantsOf, mayGrant } from './gateway-grants.ts';
import { chooseReadableVersion, getReadable, getVersion } from './hosted-function.ts';
import { filesOf, tooMany } from './versions/publish.ts';

type Trust = Reply<'functionTrust'>['trust'];
type Changes = NonNullable<Trust['changes']>;

/** What the code of a version accesses outside the function, and what is new since another version. */
export async function get(ctx: Ctx, { params, query }: Input<'functionTrust'>): Promise<Reply<'functionTrust'>> {
  const fn = await getReadable(ctx, params.function_id);
  const version = await getVersion(ctx, fn, query.version);
  const seen = query.since === undefined ? undefined : await chooseReadableVersion(ctx, fn, query.since, 'since');
  const reach = await reachOf(ctx, version);
  const trust = {
    version: version.version,
    network_policy: fn.network_policy,
    allowed_hosts: JSON.parse(fn.allowed_hosts) as string[],
    ...reach,
    changes: seen && seen.version !== version.version ? await changesSince(ctx, seen, version, reach) : null,
  };
  return { trust };
}

/** Creates a PRIVATE function of the caller with the files of a function that the caller may read. */
export async function copy(ctx: Ctx, { params, body }: Input<'functionCopy'>): Promise<Reply<'functionCopy'>> {
  const fn = await getReadable(ctx, params.function_id);
  const version = await chooseReadableVersion(ctx, fn, body.version);
  const [reach, files] = await Promise.all([reachOf(ctx, version), filesOf(ctx, version)]);
  const made = await create(ctx, {
    params: {},
    query: {},
    body: {
      name: body.name,
      description: body.description ?? fn.description,
      runtime: version.runtime,
      handler: version.handler,
      files,
      message: `Copied from ${fn.name}, version ${version.version}`,
      network_policy: fn.network_policy,
      allowed_hosts: JSON.parse(fn.allowed_hosts) as string[],
      ...grantsOfCopy(ctx, fn),
      timeout_seconds: fn.timeout_seconds,
    },
  });
  return {
    ...made,
    env: reach.env.map(({ name }) => name),
    apps: reach.apps.map(({ name }) => name),
    copied_from: { function_id: fn.function_id, version: version.version },
  };
}

/** Code of another account must not use connections before an admin has granted them. */
const grantsOfCopy = (ctx: Ctx, fn: FunctionsTable) =>
  fn.account_id === ctx.account_id && mayGrant(ctx)
    ? { gateway_policy: fn.gateway_policy, gateway_grants: grantsOf(fn) }
    : { gateway_policy: 'DENY_ALL' as const };

const reachOf = (ctx: Ctx, version: FunctionVersionsTable): Promise<Reach> =>
  ctx.reach
    .read(ctx.account_id, version.code_sha256, () => filesOf(ctx, version))
    .catch((error: unknown) => Promise.reject(tooMany(error)));

async function changesSince(
  ctx: Ctx,
  before: FunctionVersionsTable,
  after: FunctionVersionsTable,
  reach: Reach,
): Promise<Changes> {
  const [was, old, now] = await Promise.all([reachOf(ctx, before), filesOf(ctx, before), filesOf(ctx, after)]);
  const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return {
    since: before.version,
    files: paths.flatMap((path) => {
      const [then, here] = [old[path], now[path]];
      if (then === here) return [];
      return [{ path, change: then === undefined ? 'ADDED' : here === undefined ? 'REMOVED' : 'CHANGED' } as const];
    }),
    env: difference(was.env, reach.env),
    hosts: difference(was.hosts, reach.hosts),
    apps: difference(was.apps, reach.apps),
    packages: difference(was.packages, reach.packages),
  };
}

function difference(before: Named[], after: Named[]) {
  const [was, is] = [before, after].map((list) => list.map(({ name }) => name)) as [string[], string[]];
  return { added: is.filter((name) => !was.includes(name)), removed: was.filter((name) => !is.includes(name)) };
}
