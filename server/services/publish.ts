/**
 * How code becomes a version: built first (a build that fails publishes nothing), its three parts put away by content,
 * then the row that names them. Parts without a row, after a crash in between, are found again by the next deploy of
 * the same code.
 */
import { Failure } from '../lib/failure.ts';
import { createLanes } from '../lib/lanes.ts';
import { buildVersion } from '../runtime/build.ts';
import { BuildError } from '../runtime/build-error.ts';
import { AtCapacity } from '../runtime/fleet.ts';
import { LOCK_FILE } from '../runtime/packages/packages.ts';
import { buildPython } from '../runtime/python/build-python.ts';
import { readBundle, toBundle } from '../search/bundle.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import type { Ctx, Services } from './context.ts';
import { busy } from './function-places.ts';
import { languageOf } from './hosted-function.ts';

/** Packages are unpacked in memory, up to PACKAGES_MAX_BYTES a build: so many at once, the others wait. */
const LANE = 'packages';
const lane = createLanes({ total: 2, each: 2 });

export type BuiltCode = Pick<
  FunctionVersionsTable,
  'handler' | 'code_sha256' | 'code_size' | 'build_sha256' | 'map_sha256'
>;

/** Builds and keeps code, or fails with 400 and every problem's file, line and column. */
export async function buildAndKeep(
  { blobs, packages, runtime: sandbox }: Pick<Services, 'blobs' | 'packages' | 'runtime'>,
  runtime: FunctionsTable['runtime'],
  files: Record<string, string>,
  handler: string | undefined,
): Promise<BuiltCode> {
  const source = { files, handler };
  const build = () =>
    languageOf(runtime) === 'python' ? buildPython(sandbox, source) : buildVersion(source, packages);
  const building = LOCK_FILE in files ? lane.run(LANE, build) : build();
  const built = await building.catch((error: unknown) => {
    if (error instanceof AtCapacity) throw busy(503, error.message);
    if (error instanceof BuildError) throw new Failure(400, `files: ${error.message}`, { problems: error.problems });
    throw error;
  });
  const bundle = toBundle(files);
  const [code_sha256, build_sha256, map_sha256] = await Promise.all([
    blobs.put(bundle),
    blobs.put(Buffer.from(built.code)),
    blobs.put(Buffer.from(built.map)),
  ]);
  return { handler: built.handler, code_sha256, code_size: bundle.byteLength, build_sha256, map_sha256 };
}

/** The files of a version. */
export async function filesOf(
  { blobs }: Pick<Services, 'blobs'>,
  version: Pick<FunctionVersionsTable, 'code_sha256'>,
): Promise<Record<string, string>> {
  return readBundle(await blobs.get(version.code_sha256));
}

/** The row of a version that is about to be published. */
export function versionRow(
  ctx: Ctx,
  { function_id, runtime }: Pick<FunctionsTable, 'function_id' | 'runtime'>,
  version: number,
  built: BuiltCode,
  message: string | undefined,
  created_at: string,
) {
  return { function_id, version, runtime, ...built, message: message ?? null, created_by: ctx.actor.name, created_at };
}
