/**
 * Publishes a version: the code is built first (a failed build publishes nothing), its three parts are stored by
 * content, then the row that refers to them. After a crash in between, the next deploy of the same code reuses the
 * parts.
 */
import { Failure } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../../platform/database/tables/function-tables.ts';
import { AtCapacity, ShareUsed } from '../../runtime/at-capacity.ts';
import type { Build } from '../../runtime/build/build.ts';
import { BuildError } from '../../runtime/build/build-error.ts';
import { TooManyBuilds } from '../../runtime/build/turns.ts';
import { buildCode } from '../../runtime/build-code.ts';
import { languageOf } from '../../runtime/languages/languages.ts';
import { busy } from '../calls/function-concurrency.ts';
import { readAtDeploy } from '../facts/code-reader.ts';
import { readBlob } from '../read-blob.ts';
import { readBundle, toBundle } from './bundle.ts';
import { scanCode } from './scan.ts';

const RETRY_SECONDS = '5';

export type BuiltCode = Pick<
  FunctionVersionsTable,
  'handler' | 'code_sha256' | 'code_size' | 'build_sha256' | 'map_sha256'
>;

/** Builds and stores code in the account's turn; 400 with file, line and column of every problem. */
export async function buildAndKeep(
  services: Pick<Ctx, 'account_id' | 'blobs' | 'builder' | 'db' | 'nudge' | 'runtime' | 'settings' | 'log'>,
  runtime: FunctionsTable['runtime'],
  files: Record<string, string>,
  handler: string | undefined,
): Promise<BuiltCode> {
  const { blobs } = services;
  const built = await build(services, runtime, files, handler);
  // The packages are only in the built code.
  await scanCode(services, { ...prefixed('files', files), 'built.js': built.code });
  const bundle = toBundle(files);
  // One after the other: each takes a connection.
  const code_sha256 = await blobs.put(bundle);
  const build_sha256 = await blobs.put(Buffer.from(built.code));
  const map_sha256 = await blobs.put(Buffer.from(built.map));
  await readAtDeploy(services, code_sha256, files);
  return { handler: built.handler, code_sha256, code_size: bundle.byteLength, build_sha256, map_sha256 };
}

/** Builds code in the account's turn and stores nothing; fails like `buildAndKeep`. */
export function build(
  services: Pick<Ctx, 'account_id' | 'builder' | 'runtime'>,
  runtime: FunctionsTable['runtime'],
  files: Record<string, string>,
  handler: string | undefined,
): Promise<Build> {
  const building = buildCode(services, services.account_id, languageOf(runtime), { files, handler });
  return building.catch((error: unknown) => {
    if (error instanceof AtCapacity) throw busy(error instanceof ShareUsed ? 429 : 503, error.message);
    if (error instanceof BuildError) throw new Failure(400, `files: ${error.message}`, { problems: error.problems });
    throw tooMany(error);
  });
}

const prefixed = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** Converts an error of the builder: 429 when its queue is full. */
export const tooMany = (error: unknown): unknown =>
  error instanceof TooManyBuilds
    ? new Failure(429, error.message, { headers: { 'Retry-After': RETRY_SECONDS } })
    : error;

/** The files of a version. */
export async function filesOf(
  services: Pick<Services, 'blobs' | 'log'>,
  version: Pick<FunctionVersionsTable, 'code_sha256'>,
): Promise<Record<string, string>> {
  return readBundle(await readBlob(services, version.code_sha256));
}

/** The row of a new version. */
export function versionRow(
  ctx: Ctx,
  { function_id, runtime, visibility }: Pick<FunctionsTable, 'function_id' | 'runtime' | 'visibility'>,
  version: number,
  built: BuiltCode,
  message: string | undefined,
  created_at: string,
) {
  return {
    function_id,
    version,
    runtime,
    ...built,
    message: message ?? null,
    created_by: ctx.actor.name,
    created_at,
    is_public: visibility === 'PUBLIC',
  };
}
