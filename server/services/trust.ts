import type { Input, Reply } from '../../contract/operations.ts';
import { badRequest } from '../lib/failure.ts';
import type { Named, Reach } from '../runtime/reach/reach.ts';
import type { FunctionVersionsTable } from '../store/function-tables.ts';
import * as versions from '../store/versions.ts';
import type { Ctx } from './context.ts';
import { create } from './functions.ts';
import { chooseVersion, getReadable, getVersion } from './hosted-function.ts';
import { filesOf } from './publish.ts';

type Trust = Reply<'functionTrust'>['trust'];
type Changes = NonNullable<Trust['changes']>;

/** What the code of a version asks of the outside, and what of that is new since another version. */
export async function get(ctx: Ctx, { params, query }: Input<'functionTrust'>): Promise<Reply<'functionTrust'>> {
  const fn = await getReadable(ctx, params.function_id);
  const version = await getVersion(ctx, fn, query.version);
  const seen =
    query.since === undefined ? undefined : await versions.find(ctx.db, fn.account_id, fn.function_id, query.since);
  if (query.since !== undefined && !seen)
    throw badRequest(`since: expected one of this function's versions, 1 to ${fn.last_version}`);
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

/** A function of the caller's own, with the files of one that the caller may read. Nobody else sees or calls it. */
export async function copy(ctx: Ctx, { params, body }: Input<'functionCopy'>): Promise<Reply<'functionCopy'>> {
  const fn = await getReadable(ctx, params.function_id);
  const version = await chooseVersion(ctx, fn, body.version);
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
      timeout_seconds: fn.timeout_seconds,
    },
  });
  return {
    ...made,
    env: reach.env.map(({ name }) => name),
    copied_from: { function_id: fn.function_id, version: version.version },
  };
}

const reachOf = (ctx: Ctx, version: FunctionVersionsTable): Promise<Reach> =>
  ctx.reach.read(version.code_sha256, () => filesOf(ctx, version));

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
